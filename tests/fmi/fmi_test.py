"""FMUs of contacts and scenarios in an importer written from the standard.

    fmi_test.py ROOT TOOL [unittest options]
"""

import sys
import unittest

from instances_test import Instances, WrongUse
from motion_test import Bounce, StickSlip
from steps_test import Archive, Motion, Steps, WrongSteps
from values_test import Derivatives, Description, Wrenches

__all__ = ["Archive", "Bounce", "Derivatives", "Description", "Instances", "Motion", "Steps", "StickSlip", "WrongSteps", "WrongUse",
           "Wrenches"]

if __name__ == "__main__":
    unittest.main(argv=[sys.argv[0], *sys.argv[3:]])
