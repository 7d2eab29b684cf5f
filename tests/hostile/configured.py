"""Configuration, hooks and attributes: everything that makes git run something, write something or look elsewhere."""

from __future__ import annotations

import os
import shutil

from tests.hostile.scene import Scene, git
from tests.hostile.table import case

CONFIG = "`.git/config`"


def _promisor(scene: Scene) -> None:
    scene.config('[extensions]\npartialClone = origin\n[remote "origin"]\npromisor = true\nurl = $outside/victim')
    scene.config('[remote "origin"]\nuploadpack = "$run git-upload-pack"\nfetch = +refs/heads/*:refs/remotes/origin/*')


def _lose(scene: Scene, name: str) -> None:
    id_ = git(scene.top, "rev-parse", f"HEAD:{name}")
    (scene.top / ".git" / "objects" / id_[:2] / id_[2:]).unlink()


@case(CONFIG, "a promisor remote with an `uploadpack` of its own, and a missing `.gitignore`", "nothing is fetched")
def promisor_of_a_sparse_rule(scene: Scene) -> None:
    """Git asks the promisor for the rules of a folder whose `.gitignore` is not checked out."""
    git(scene.top, "update-index", "--skip-worktree", ".gitignore")
    (scene.top / ".gitignore").unlink()
    _promisor(scene)
    _lose(scene, ".gitignore")


@case(
    CONFIG,
    "the same with a missing folder",
    "nothing is fetched; the commit is refused",
    commit="an object is not in the repository",
)
def promisor_of_a_tree(scene: Scene) -> None:
    _promisor(scene)
    _lose(scene, "src")


@case(CONFIG, "the same, and `core.bare`")
def promisor_of_a_bare_repository(scene: Scene) -> None:
    git(scene.top, "update-index", "--skip-worktree", ".gitignore")
    scene.config("[core]\nbare = true")
    _promisor(scene)
    _lose(scene, ".gitignore")


@case(
    CONFIG,
    "a bare repository among the files of an honest one, with such a promisor, that a transcript names",
    "refused",
    disk="nested below repo_root",
    commit="nested below repo_root",
)
def bare_repository_among_the_files(scene: Scene) -> None:
    _promisor(scene)
    _lose(scene, ".gitignore")
    scene.config("[core]\nbare = true")
    shutil.move(scene.top / ".git", scene.folder / "evil")
    git(scene.top, "init", "-q")
    (scene.top / "fixtures").mkdir()
    shutil.move(scene.folder / "evil", scene.top / "fixtures" / "evil")
    git(scene.top, "add", "-A")
    git(scene.top, "commit", "-qm", "all of it plain files")
    artifact = {"kind": "worktree", "path": "fixtures/evil"}
    scene.readings = [(artifact, str(scene.top)), ({**artifact, "commit": "HEAD"}, str(scene.top))]


@case(CONFIG, "`core.worktree`: another folder's files")
def worktree_elsewhere(scene: Scene) -> None:
    scene.config("[core]\nworktree = $outside")


@case(CONFIG, "`core.fsmonitor`: a command that git asks what has changed")
def fsmonitor(scene: Scene) -> None:
    scene.config('[core]\nfsmonitor = "$run"\nfsmonitorHookVersion = 2\nuntrackedCache = true')


@case(CONFIG, "`core.sshCommand`, `core.gitProxy`, `core.askPass`, `credential.helper`, `remote.*.vcs`")
def commands_of_the_network(scene: Scene) -> None:
    _promisor(scene)
    scene.config('[core]\nsshCommand = "$run"\ngitProxy = "$run"\naskPass = "$run"\n[credential]\nhelper = "!$run"')
    scene.config('[remote "origin"]\nurl = ssh://nobody.invalid/x\nvcs = "ext"')
    _lose(scene, "README.md")


@case(CONFIG, "`core.pager`, `core.editor`, `alias.*`, `pager.*`")
def commands_for_people(scene: Scene) -> None:
    words = ("rev-parse", "ls-files", "ls-tree", "cat-file", "status", "log")
    scene.config('[core]\npager = "$run"\neditor = "$run"\n[sequence]\neditor = "$run"')
    scene.config("[alias]\n" + "\n".join(f'{word} = "!$run"' for word in words))
    scene.config("[pager]\n" + "\n".join(f'{word} = "$run"' for word in words))


@case(CONFIG, "`core.hooksPath`, and `.git/hooks` full of hooks")
def hooks(scene: Scene) -> None:
    names = (
        "fsmonitor-watchman",
        "post-checkout",
        "post-index-change",
        "pre-commit",
        "reference-transaction",
        "update",
    )
    for name in names:
        hook = scene.top / ".git" / "hooks" / name
        hook.parent.mkdir(exist_ok=True)
        hook.write_text(f"#!/bin/sh\n{scene.command}\n")
        hook.chmod(0o755)
    scene.config("[core]\nhooksPath = .git/hooks\nfsmonitor = .git/hooks/fsmonitor-watchman")


@case(CONFIG, "`filter.*`, `diff.*`, `merge.*` commands, with `.gitattributes` and `info/attributes` that ask for them")
def filters(scene: Scene) -> None:
    scene.config('[filter "x"]\nclean = "$run"\nsmudge = "$run"\nprocess = "$run"\nrequired = true')
    scene.config(
        '[diff "x"]\ntextconv = "$run"\ncommand = "$run"\n[merge "x"]\ndriver = "$run"\n[diff]\nexternal = "$run"'
    )
    for place in (scene.top / ".gitattributes", scene.top / ".git" / "info" / "attributes"):
        place.write_text("* filter=x diff=x merge=x text eol=crlf working-tree-encoding=UTF-16 ident\n")
    (scene.top / "README.md").write_text("changed\n")


@case(CONFIG, "`include.path` and `includeIf` of files elsewhere")
def includes(scene: Scene) -> None:
    scene.config("[include]\npath = $outside/pipe\npath = ../../outside/config")
    scene.config('[includeIf "gitdir:/"]\npath = $outside/secret-plan.txt')


@case(CONFIG, "`core.excludesFile` and `core.attributesFile` elsewhere, a pipe")
def excludes_elsewhere(scene: Scene) -> None:
    scene.config(
        "[core]\nexcludesFile = $outside/pipe\nattributesFile = $outside/pipe\n[commit]\ntemplate = $outside/pipe"
    )


@case(CONFIG, "`extensions.worktreeConfig` with a second configuration")
def second_configuration(scene: Scene) -> None:
    scene.config("[extensions]\nworktreeConfig = true\n[core]\nrepositoryFormatVersion = 1")
    (scene.top / ".git" / "config.worktree").write_text(f"[core]\nworktree = {scene.outside}\n")


@case(CONFIG, "`url.*.insteadOf` to a helper that runs commands, `protocol.*.allow`")
def protocols(scene: Scene) -> None:
    _promisor(scene)
    scene.config('[protocol]\nallow = always\n[protocol "ext"]\nallow = always')
    scene.config(f'[url "ext::sh -c touch% {scene.marker}% "]\ninsteadOf = {scene.outside}')
    _lose(scene, "README.md")


@case(CONFIG, "`gpg.program` with `log.showSignature`, `core.alternateRefsCommand`, `uploadpack.packObjectsHook`")
def commands_of_plumbing(scene: Scene) -> None:
    scene.config('[gpg]\nprogram = "$run"\n[log]\nshowSignature = true\n[core]\nalternateRefsCommand = "$run"')
    scene.config('[uploadpack]\npackObjectsHook = "$run"\n[gc]\nauto = 1\n[maintenance]\nauto = true')


@case(CONFIG, "`trace2.*` and `core.logAllRefUpdates`: files to write", "nothing is written")
def traces(scene: Scene) -> None:
    scene.config(f"[trace2]\nnormalTarget = {scene.marker}\neventTarget = {scene.marker}\nperfTarget = {scene.marker}")
    scene.config("[core]\nlogAllRefUpdates = always\nsharedRepository = 0777")


@case(CONFIG, "a format version and extensions that nobody knows")
def unknown_format(scene: Scene) -> None:
    scene.config("[core]\nrepositoryFormatVersion = 999\n[extensions]\nmadeUp = true\nobjectFormat = sha3")


@case(CONFIG, "no configuration but a pipe")
def configuration_is_a_pipe(scene: Scene) -> None:
    (scene.top / ".git" / "config").unlink()
    os.mkfifo(scene.top / ".git" / "config")


@case(CONFIG, "a configuration that is a link to somebody's, or garbage of 64 MB")
def configuration_is_a_link(scene: Scene) -> None:
    (scene.top / ".git" / "config").unlink()
    (scene.top / ".git" / "config").symlink_to(scene.outside / "victim" / ".git" / "config")
    (scene.top / ".git" / "config.worktree").write_bytes(b"[" * (1 << 26))
