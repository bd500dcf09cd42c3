"""Published packages that hold skills: fetched by the registries' own clients, read, never run.

`packages.txt` pins them; they are kept below `target/real/packages` and never committed.
"""

import dataclasses
import hashlib
import pathlib
import subprocess
import sys
import tarfile
import zipfile

import support

LIST = pathlib.Path(__file__).with_name("packages.txt")
CACHE = support.TARGET / "real/packages"


@dataclasses.dataclass
class Package:
    """One line of the list."""

    registry: str
    name: str
    version: str

    @property
    def folder(self):
        return CACHE / f"{self.registry}-{self.name.replace('/', '-')}-{self.version}"

    def fetch(self):
        """Downloads the archive where it is not there yet; gives its path."""
        if not self.folder.exists():
            self.folder.mkdir(parents=True)
            subprocess.run(self.client(), cwd=self.folder, check=True, capture_output=True, timeout=300)
        archives = sorted(self.folder.iterdir())
        if len(archives) != 1:
            self.folder.rmdir()
            raise OSError(f"one archive expected in {self.folder}")
        return archives[0]

    def client(self):
        if self.registry == "npm":
            return ["npm", "pack", "--silent", f"{self.name}@{self.version}"]
        pin = f"{self.name}=={self.version}"
        pip = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check"]
        return [*pip, "--no-deps", "--only-binary", ":all:", "--dest", ".", pin]

    def skills(self):
        """(path in the archive, bytes) of each SKILL.md, sorted."""
        archive = self.fetch()
        if archive.suffix == ".whl":
            with zipfile.ZipFile(archive) as whole:
                return [(name, whole.read(name)) for name in sorted(whole.namelist()) if skill(name)]
        with tarfile.open(archive) as whole:
            members = [member for member in whole if member.isfile() and skill(member.name)]
            return sorted((member.name, whole.extractfile(member).read()) for member in members)


def skill(name):
    return name.endswith("/SKILL.md")


def listed():
    """The packages of the list."""
    lines = [line.split() for line in LIST.read_text().splitlines() if line.strip() and line[0] != "#"]
    return [Package(*words) for words in lines]


def distinct(package, seen):
    """The skills of a package whose bytes were not seen before."""
    found = []
    for path, data in package.skills():
        digest = hashlib.sha256(data).hexdigest()
        if digest not in seen:
            seen.add(digest)
            found.append((path, data))
    return found
