"""The rules of deploy/prometheus as Prometheus reads them, and the dashboard's questions."""

import json
import os
import shutil
import subprocess
from pathlib import Path

import pytest
import yaml

ROOT = Path(__file__).parents[2]
PROMTOOL = shutil.which("promtool")
REQUIRED = os.environ.get("EKO_PEERS_REQUIRED") == "1"
EVERY = 17
"""The rules there are, as tests/data/alerts.yml counts them."""

pytestmark = pytest.mark.skipif(
    PROMTOOL is None and not REQUIRED, reason="promtool is not installed"
)


def promtool(*arguments: str | Path) -> str:
    """What promtool says, after it found nothing wrong."""
    assert PROMTOOL is not None, "EKO_PEERS_REQUIRED=1 and promtool is not installed"
    done = subprocess.run([PROMTOOL, *arguments], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_each_alert_calls_when_it_should_and_not_when_all_is_well() -> None:
    """Each of them, by what a pet that is ill would tell."""
    alerts = ROOT / "deploy" / "prometheus" / "alerts.yml"
    assert f"SUCCESS: {EVERY} rules found" in promtool("check", "rules", alerts)
    assert "SUCCESS" in promtool("test", "rules", ROOT / "tests" / "data" / "alerts.yml")


def test_prometheus_can_read_what_the_dashboard_asks(tmp_path: Path) -> None:
    """Each panel's question as a rule of its own, for any pet."""
    board = json.loads((ROOT / "deploy" / "grafana" / "eko.json").read_text("utf-8"))
    asked = [one["expr"] for panel in board["panels"] for one in panel.get("targets", ())]
    rules = [
        {"record": f"asked:{number}", "expr": expr.replace("$instance", ".*")}
        for number, expr in enumerate(asked)
    ]
    file = tmp_path / "asked.yml"
    file.write_text(yaml.safe_dump({"groups": [{"name": "board", "rules": rules}]}), "utf-8")
    assert f"SUCCESS: {len(asked)} rules found" in promtool("check", "rules", file)
