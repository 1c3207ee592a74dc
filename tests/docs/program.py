# SPDX-License-Identifier: Apache-2.0
"""The C++ program of a page, and what the page says it prints.

usage: program.py PAGE             prints the program, to be compiled
       program.py PAGE EXECUTABLE  runs it and compares what it prints with the block after it
"""
import pathlib
import subprocess
import sys

import pages


def main():
    blocks = [block for part in pages.sections(pathlib.Path(sys.argv[1]).read_text())
              for block in part.blocks]
    at = next(number for number, block in enumerate(blocks) if block.language == "cpp")
    if len(sys.argv) == 2:
        print(blocks[at].text, end="")
        return
    printed = subprocess.run([sys.argv[2]], cwd=pages.ROOT, text=True, check=True,
                             stdout=subprocess.PIPE).stdout
    if printed != blocks[at + 1].text:
        sys.exit(f"{sys.argv[1]}:{blocks[at + 1].line}: the program prints\n{printed}")


if __name__ == "__main__":
    main()
