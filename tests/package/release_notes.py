#!/usr/bin/env python3
"""A release is refused wherever a place disagrees on the version, and its notes are the section of the changelog."""

import pathlib
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
HEADERS = "libvolcontact/include/volcontact"
CLOSED = "# Changelog\n\nWords.\n\n## 1.2.3\n\n- new\n\n### Fixed\n\n- mended\n\n## 1.2.2\n\n- old\n"
FILES = {
    f"{HEADERS}/version.h": "#define VOLCONTACT_VERSION_MAJOR 1\n#define VOLCONTACT_VERSION_MINOR 2\n"
                            "#define VOLCONTACT_VERSION_PATCH 3\n",
    f"{HEADERS}/export.h": "inline namespace abi_1_2 {\n",
    "README.md": "`find_package(volcontact)`\n",
    "docs/deep/page.md": "find_package(volcontact 1.2 CONFIG REQUIRED)\n",
    "docs/examples/first.cc": "//   find_package(volcontact 1.2 CONFIG REQUIRED)\n",
    "CHANGELOG.md": CLOSED,
}


class ReleaseNotes(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        for name, text in FILES.items():
            self.write(name, text)
        (self.folder / "tools").mkdir()
        for name in ("release_notes.py", "release.sh"):
            shutil.copy(ROOT / "tools" / name, self.folder / "tools")

    def write(self, name, text):
        (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
        (self.folder / name).write_text(text, encoding="utf-8")

    def run_notes(self, *options):
        return subprocess.run([sys.executable, "-B", self.folder / "tools/release_notes.py", *options, self.folder / "notes"],
                              capture_output=True, text=True, check=False)

    def assert_refused(self, word, *options):
        run = self.run_notes(*options)
        self.assertEqual(run.returncode, 1, run.stdout)
        self.assertIn(word, run.stderr)
        self.assertFalse((self.folder / "notes").exists())

    def test_notes_are_the_newest_section(self):
        run = self.run_notes()
        self.assertEqual((run.returncode, run.stdout), (0, "1.2.3\n"), run.stderr)
        self.assertEqual((self.folder / "notes").read_text(), "# volcontact 1.2.3\n\n- new\n\n### Fixed\n\n- mended\n")

    def test_refuses_unreleased_changes_and_takes_them_for_a_trial(self):
        self.write("CHANGELOG.md", CLOSED.replace("## 1.2.3", "## Unreleased\n\n- next\n\n## 1.2.3"))
        self.assert_refused("Unreleased")
        self.assertEqual(self.run_notes("--trial").returncode, 0)
        self.assertEqual((self.folder / "notes").read_text(), "# volcontact Unreleased\n\n- next\n")

    def test_refuses_each_place_that_disagrees(self):
        for name, right, wrong in (("CHANGELOG.md", "1.2.3", "1.3.0"), ("docs/deep/page.md", "1.2", "1.1"),
                                   ("docs/examples/first.cc", "1.2", "1.1"),
                                   (f"{HEADERS}/export.h", "abi_1_2", "abi_1_1")):
            with self.subTest(name):
                self.write(name, FILES[name].replace(right, wrong))
                self.assert_refused(pathlib.Path(name).name)
                self.write(name, FILES[name])

    def test_all_places_of_the_project_agree(self):
        run = subprocess.run([sys.executable, "-B", ROOT / "tools/release_notes.py", "--trial", self.folder / "notes"],
                             capture_output=True, text=True, check=False)
        self.assertEqual(run.returncode, 0, run.stderr)

    def test_refuses_changes_that_are_not_committed(self):
        def git(*arguments):
            subprocess.run(["git", "-C", self.folder, "-c", "user.name=a", "-c", "user.email=a@b", *arguments], check=True)

        git("init", "-q")
        git("add", ".")
        git("commit", "-q", "-m", "all")
        for name in ("README.md", "new"):
            self.write(name, "changed\n")
            run = subprocess.run(["sh", self.folder / "tools/release.sh"], capture_output=True, text=True, check=False)
            self.assertEqual(run.returncode, 1)
            self.assertIn(name, run.stderr)
            self.assertFalse((self.folder / "build").exists())
            git("clean", "-q", "-f")
            git("checkout", "-q", ".")


if __name__ == "__main__":
    unittest.main()
