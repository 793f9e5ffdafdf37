#!/usr/bin/env python3
"""Doxygen's view of the C header: its comments are plain C, which Doxygen would pass over.

    c_comments.py HEADER

A comment behind a declaration belongs to it, one on a line of its own to what follows; the first one
to the file. Structures and enumerations are named once, as in C++.
"""

import re
import sys


def marked(lines):
    first = True
    for line in lines:
        code, mark, comment = line.partition("/*")
        if not mark or "NOLINT" in comment:
            yield line
        elif first:
            first = False
            yield "/** \\file\n *" + comment
        else:
            yield code + ("/**<" if code.strip() else "/**") + comment


def main():
    with open(sys.argv[1], encoding="utf-8") as header:
        text = "".join(marked(header))
    text = re.sub(r"(?m)^typedef (struct|enum) (\w+) \{", r"\1 \2 {", text)
    sys.stdout.write(re.sub(r"(?m)^\} \w+;", "};", text))


if __name__ == "__main__":
    main()
