"""FMUs of contacts in an importer written from the standard.

    fmi_test.py ROOT TOOL [unittest options]
"""

import sys
import unittest

from instances_test import Instances, WrongUse
from motion_test import Bounce, StickSlip
from values_test import Derivatives, Description, Wrenches

__all__ = ["Bounce", "Derivatives", "Description", "Instances", "StickSlip", "WrongUse", "Wrenches"]

if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
