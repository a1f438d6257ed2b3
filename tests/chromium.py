"""One headless Chromium for all the tests of a worker, on a screen without a finger at the start of
each module; it takes note of every request that it would make."""

from __future__ import annotations

import importlib.util
import os
import shutil
from collections.abc import Iterator
from typing import Any

import pytest

CHROMIUM = shutil.which("chromium") or shutil.which("google-chrome")
DRIVER = shutil.which("chromedriver")

# No page is kept to go back to, no process for one to come, and no frame is made anew for each.
UNUSED = "BackForwardCache,SpareRendererForSitePerProcess,OptimizationHints,RenderDocument"
KEEPS_LESS = f"--disable-features={UNUSED}"

# What the page's policy forbids is remembered, page by page.
LISTEN = """
window.violations = [];
document.addEventListener("securitypolicyviolation", (event) =>
    window.violations.push(`${event.violatedDirective} ${event.blockedURI}`));
"""


@pytest.fixture(scope="session")
def chromium() -> Iterator[Any]:
    if not (CHROMIUM and DRIVER and importlib.util.find_spec("selenium")):
        sentence = "no Chromium with driver and selenium: the page is not tried in a browser"
        if os.environ.get("PBEM_BROWSER") == "required":
            pytest.fail(sentence)
        pytest.skip(sentence)
    from selenium import webdriver

    options = webdriver.ChromeOptions()
    options.binary_location = CHROMIUM
    saved = "--disable-dev-shm-usage", "--disable-gpu", KEEPS_LESS
    for argument in ("--headless=new", "--no-sandbox", *saved):
        options.add_argument(argument)
    options.set_capability("goog:loggingPrefs", {"performance": "ALL", "browser": "ALL"})
    options.add_experimental_option("perfLoggingPrefs", {"enablePage": False})
    driver = webdriver.Chrome(options, webdriver.ChromeService(DRIVER))
    driver.execute_cdp_cmd("Page.addScriptToEvaluateOnNewDocument", {"source": LISTEN})
    yield driver
    driver.quit()


@pytest.fixture(scope="module")
def browser(chromium: Any) -> Iterator[Any]:
    yield chromium
    chromium.get("about:blank")
    chromium.execute_cdp_cmd("Emulation.clearDeviceMetricsOverride", {})
    chromium.execute_cdp_cmd("Emulation.setTouchEmulationEnabled", {"enabled": False})
    chromium.execute_cdp_cmd("Emulation.setEmulatedMedia", {"media": "", "features": []})
    for each in ("browser", "performance"):
        chromium.get_log(each)  # what is told there is told once
