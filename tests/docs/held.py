# SPDX-License-Identifier: Apache-2.0
"""Parts of pages that a command prints again.

Two comments, each on a line of its own, stand around such a part:
  <!-- made: COMMAND -->          the part is what COMMAND prints
  <!-- numbers: COMMAND -->       each line that COMMAND prints stands in the part, a text
  <!-- made slow: COMMAND -->     the same, where COMMAND takes over ten seconds
  <!-- end -->
"""
import collections
import os
import re
import subprocess

# way is "made" or "numbers"; line is that of the first comment.
Part = collections.namedtuple("Part", "way slow command text line")

PART = re.compile(r"^<!-- (made|numbers)( slow)?: ([^\n]+) -->\n(.*?)^<!-- end -->$", re.MULTILINE | re.DOTALL)
OPENING = re.compile(r"^<!-- (?:made|numbers)\b", re.MULTILINE)
LIMIT_SECONDS = 3600


def parts(text):
    found = [Part(match[1], bool(match[2]), match[3], match[4].strip(), text.count("\n", 0, match.start()) + 1)
             for match in PART.finditer(text)]
    # One without an end swallows the next.
    if len(found) != len(OPENING.findall(text)) or any(OPENING.search(part.text) for part in found):
        raise ValueError("a comment that holds a part is misspelt or has no <!-- end -->")
    return found


def printed_by(part, folder):
    done = subprocess.run(["bash", "-euo", "pipefail", "-c", part.command], cwd=folder, text=True,
                          capture_output=True, timeout=LIMIT_SECONDS,
                          env={**os.environ, "PYTHONDONTWRITEBYTECODE": "1"})
    if done.returncode:
        raise ValueError(f"{part.command} ended with {done.returncode}: {done.stderr}")
    return done.stdout.strip()


def fault(part, printed):
    """What the part says otherwise than the command, or None."""
    if part.way == "made":
        return None if part.text == printed else f"{part.command} prints\n{printed}"
    said = " ".join(part.text.split())
    missing = [line for line in printed.splitlines() if line not in said]
    return f"does not say what {part.command} prints: {missing}" if missing else None


def page_faults(page, folder, slow):
    """One text per part that is not what its command prints."""
    faults = []
    for part in parts(page.read_text()):
        if part.slow and not slow:
            print(f"{page}:{part.line}: not run (slow)")
            continue
        found = fault(part, printed_by(part, folder))
        faults += [f"{page}:{part.line}: {found}"] if found else []
    return faults


def write(page, folder, slow):
    """Replaces what commands make. Numbers within texts are left to the author."""
    text = page.read_text()
    for part in parts(text):
        if part.way == "made" and (slow or not part.slow):
            begin = text.index(f"made{' slow' * part.slow}: {part.command} -->\n")
            begin = text.index("\n", begin) + 1
            text = text[:begin] + "\n" + printed_by(part, folder) + "\n\n" + text[text.index("<!-- end -->", begin):]
    page.write_text(text)
