// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <functional>
#include <string_view>

// The one way to write a file. Failures are ConfigErrors that name the file.

namespace ipusim {

/// Takes the next part of a text.
using Sink = std::function<void(std::string_view)>;

/// Gives a text to a sink, part by part.
using Fill = std::function<void(const Sink&)>;

/// Makes the folder, and those above it. Throws where it cannot be written to.
void makeFolder(const std::filesystem::path& folder);

/// Throws where files in the folder cannot be made; `remedy` says what to do about it.
void expectWritable(const std::filesystem::path& folder, const char* remedy);

/// Throws where there is anything but a regular file, or nothing: a link leads elsewhere, and a
/// device or a pipe would be replaced.
void expectReplaceable(const std::filesystem::path& file);

/// Puts a text in place of a file that is replaceable. Whatever ends the program, the file is the
/// old one or the new one: the text goes to a draft beside it, which nobody else can have made or
/// linked, and signals to the calling thread wait meanwhile.
void replaceFile(const std::filesystem::path& file, const Fill& fill);

/// Writes a text to what a user named. A link is followed, and stays. What standard output goes to,
/// a character device, and a pipe that somebody reads are written into. Any other regular file is
/// replaced, a new one made together with the folders above it. The rest is refused.
void writeFile(const std::filesystem::path& file, std::string_view text);

}  // namespace ipusim
