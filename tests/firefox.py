"""Firefox as it speaks by itself, in WebDriver BiDi: no driver of its own is needed.

What it takes besides is the web socket that selenium brings along.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any

import pytest

FIREFOX = shutil.which("firefox-esr") or shutil.which("firefox")


# Nothing is asked for, and no process begun, that no page here needs.
SETTINGS = """
user_pref("app.normandy.enabled", false);
user_pref("browser.newtabpage.enabled", false);
user_pref("browser.safebrowsing.malware.enabled", false);
user_pref("browser.safebrowsing.phishing.enabled", false);
user_pref("browser.startup.homepage", "about:blank");
user_pref("browser.startup.page", 0);
user_pref("datareporting.policy.dataSubmissionEnabled", false);
user_pref("dom.ipc.processCount", 1);
user_pref("dom.ipc.processPrelaunch.enabled", false);
user_pref("extensions.enabledScopes", 0);
user_pref("fission.autostart", false);
user_pref("network.captive-portal-service.enabled", false);
user_pref("services.settings.server", "data:,none");
"""


class Firefox:
    """A window as large as a phone, without a screen."""

    def __init__(self, profile: Path) -> None:
        import websocket

        assert FIREFOX
        (profile / "user.js").write_text(SETTINGS)
        arguments = ("--headless", "--no-remote", "--profile", profile, "--remote-debugging-port=0")
        self._process = subprocess.Popen(
            [FIREFOX, *arguments], stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True
        )
        assert self._process.stderr
        listens = re.compile(r"WebDriver BiDi listening on (\S+)")
        found = next(filter(None, map(listens.search, self._process.stderr)))
        address = f"{found[1]}/session"
        self._socket = websocket.create_connection(address, suppress_origin=True, timeout=30)
        self._numbers = count(1)
        self._ask("session.new", capabilities={})
        self.new_tab()

    def new_tab(self) -> None:
        """A window in which nothing has been done yet. (In the first tab the keyboard belongs to
        the line for addresses.)"""
        self._window = self._ask("browsingContext.create", type="tab")["context"]
        size = {"width": 375, "height": 812}
        self._ask("browsingContext.setViewport", context=self._window, viewport=size)

    def _ask(self, method: str, **params: Any) -> Any:
        number = next(self._numbers)
        self._socket.send(json.dumps({"id": number, "method": method, "params": params}))
        while (answer := json.loads(self._socket.recv())).get("id") != number:
            pass  # something that happened meanwhile
        assert answer["type"] == "success", answer
        return answer["result"]

    def get(self, url: str) -> None:
        self._ask("browsingContext.navigate", context=self._window, url=url, wait="complete")

    def run(self, script: str, *given: Any) -> Any:
        """What the body of a function gives."""
        called = f"JSON.stringify((function () {{ {script} }})(...{json.dumps(given)}) ?? null)"
        done = self._ask(
            "script.evaluate",
            expression=called,
            target={"context": self._window},
            awaitPromise=False,
        )
        assert done["type"] == "success", done
        return json.loads(done["result"]["value"])

    def tap(self, x: float, y: float) -> None:
        finger: dict[str, Any] = {"type": "pointer", "id": "finger"}
        finger["parameters"] = {"pointerType": "touch"}
        finger["actions"] = [
            {"type": "pointerMove", "x": int(x), "y": int(y)},
            {"type": "pointerDown", "button": 0},
            {"type": "pointerUp", "button": 0},
        ]
        self._ask("input.performActions", context=self._window, actions=[finger])

    def press(self, key: str) -> None:
        steps = [{"type": kind, "value": key} for kind in ("keyDown", "keyUp")]
        keys = {"type": "key", "id": "keys", "actions": steps}
        self._ask("input.performActions", context=self._window, actions=[keys])

    def quit(self) -> None:
        self._socket.close()
        self._process.terminate()
        self._process.communicate(timeout=30)


@pytest.fixture(scope="session")
def firefox(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Firefox]:
    """One for all the tests of a worker, for it takes seconds to start."""
    try:
        import websocket
    except ImportError:
        websocket = None
    if not (FIREFOX and websocket):
        sentence = "no Firefox, or no selenium: pages are not tried there"
        if os.environ.get("PBEM_FIREFOX") == "required":
            pytest.fail(sentence)
        pytest.skip(sentence)
    made = Firefox(tmp_path_factory.mktemp("profile"))
    yield made
    made.quit()
