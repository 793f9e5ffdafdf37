// Reads a file of a MuJoCo model's contacts, for validate.py.
//
//   read_mujoco_contacts FILE      exits with 0, or with 2 and the reader's message
#include <cstdio>
#include <exception>

#include "volcontact/mujoco/mujoco_contacts.h"

int main(int argc, char** argv) {
  try {
    if (argc == 2) volcontact::ReadMujocoContacts(std::filesystem::path(argv[1]));
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 2;
  }
  return argc == 2 ? 0 : 1;
}
