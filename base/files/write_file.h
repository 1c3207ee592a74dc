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

/// Makes the folder and the folders above it. Throws when it cannot be written to.
void makeFolder(const std::filesystem::path& folder);

/// Throws when no file can be made in the folder; `remedy` says what to do about it.
void expectWritable(const std::filesystem::path& folder, const char* remedy);

/// Throws unless the path is free or a regular file is there: a link leads elsewhere, and writing
/// would replace a device or a pipe.
void expectReplaceable(const std::filesystem::path& file);

/// Replaces a file with a text. The file is the old one or the new one at any moment, whatever ends
/// the program: the text goes to a draft beside the file, which nobody else can have made or
/// linked. Signals to the calling thread wait meanwhile.
void replaceFile(const std::filesystem::path& file, const Fill& fill);

/// Removes what processes that were killed left of files that they wrote into the folder: drafts of
/// replaceFile() whose process is gone and that nobody holds open. Failures are left at that.
void removeLostDrafts(const std::filesystem::path& folder);

/// Writes a text to a path that a user named. A link is followed and stays. The text goes into the
/// file of standard output, a character device, or a pipe that somebody reads. Any other regular
/// file is replaced. A new file is made together with the folders above it. Everything else is
/// refused.
void writeFile(const std::filesystem::path& file, std::string_view text);

/// Writes a long text part by part, under the rules of the other writeFile. The text is in memory
/// as a whole only for a path that leads to something else than a regular file. `fill` may take
/// long: a signal ends the program meanwhile, and leaves the old file and nothing else. Only where
/// the file system has no files without a name, signals to the calling thread wait.
void writeFile(const std::filesystem::path& file, const Fill& fill);

/// Throws when writeFile would refuse the path. Makes the folders above a new file. Long work that
/// ends in a file begins with this check.
void expectWritableFile(const std::filesystem::path& file);

}  // namespace ipusim
