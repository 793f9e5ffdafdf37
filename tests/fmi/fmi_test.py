"""FMUs of contacts and scenarios in an importer written from the standard.

    fmi_test.py ROOT TOOL MODULE [unittest options]

MODULE is a file of tests beside this one, such as values_test.
"""

import sys
import unittest

if __name__ == "__main__":
    unittest.main(module=None, argv=[sys.argv[0], *sys.argv[3:]])
