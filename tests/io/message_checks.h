// Checks of the messages that readers refuse input with.
#pragma once

#include <gtest/gtest.h>

#include <span>
#include <string>

#include "volcontact/math/error.h"

namespace volcontact {

struct MessageCase {
  const char* text;
  const char* message;  // its beginning, after the file's name
};

/// Expects `parse(text, file)` to refuse every text with one line that begins with the file's name
/// and the case's message.
template <class Parse>
void ExpectMessages(const Parse& parse, const std::string& file,
                    std::span<const MessageCase> cases) {
  for (const MessageCase& c : cases) {
    SCOPED_TRACE(c.text);
    std::string message = "no error";
    try {
      parse(c.text, file);
    } catch (const InvalidInput& error) {
      message = error.what();
    }
    EXPECT_TRUE(message.starts_with(file + ": " + c.message)) << message;
    EXPECT_EQ(message.find('\n'), std::string::npos) << message;
  }
}

}  // namespace volcontact
