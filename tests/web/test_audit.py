from __future__ import annotations

import contextlib
import json
import time
from collections.abc import Callable
from io import BytesIO
from typing import Any

import jsonschema
import pytest
from flask.testing import FlaskClient

from vassal_bridge.audit.audit import audit_files
from vassal_bridge.datadirs import data_dir
from vassal_bridge.report.audit_json import as_json
from vassal_bridge.report.schema_files import FOLDER
from vassal_bridge.vassal.container import open_bytes
from vassal_bridge.web import Settings
from vassal_bridge.web.alarm import TooLongError, within

LOG = b"begin_save\x1bend_save\x1bLOG\tCHAT<Anna> - hello"
OTHER = b"begin_save\x1bend_save\x1bLOG\tCHAT<Boris> - bye"
PASSWORD = "correct-horse"


def report(*logs: tuple[bytes, str]) -> str:
    return as_json(audit_files([open_bytes(data, name) for data, name in logs]))


def test_a_form_is_answered_with_the_report(client: FlaskClient) -> None:
    answer = client.post("/v1/audit", data={"log": (BytesIO(LOG), "turn1.vlog")})
    assert answer.status_code == 200
    assert answer.mimetype == "application/json"
    assert answer.get_data(as_text=True) == report((LOG, "turn1.vlog"))
    jsonschema.validate(answer.get_json(), json.loads((FOLDER / "report-1.json").read_text(encoding="utf-8")))


def test_logs_of_a_chain_keep_their_order(client: FlaskClient) -> None:
    form = {"log": [(BytesIO(LOG), "a/turn1.vlog"), (BytesIO(OTHER), "../b/turn2.vlog")]}
    answer = client.post("/v1/audit", data=form)
    assert answer.get_data(as_text=True) == report((LOG, "turn1.vlog"), (OTHER, "turn2.vlog"))


def test_a_raw_log_is_answered_alike(client: FlaskClient) -> None:
    answer = client.post("/v1/audit?name=turn1.vlog", data=LOG, content_type="application/octet-stream")
    assert answer.get_data(as_text=True) == report((LOG, "turn1.vlog"))


def test_the_sample_game_is_audited_as_by_the_command(client: FlaskClient) -> None:
    (sample,) = data_dir("modules").glob("*/demo.vlog")
    data = sample.read_bytes()
    answer = client.post("/v1/audit", data={"log": (BytesIO(data), "demo.vlog")})
    assert answer.get_data(as_text=True) == report((data, "demo.vlog"))
    assert answer.get_json()["summary"]["violations"] > 0


@pytest.mark.parametrize(
    ("request_", "status", "word"),
    [
        ({"data": {}, "content_type": "multipart/form-data"}, 400, "log"),
        ({"data": {"log": "text, no file"}, "content_type": "multipart/form-data"}, 400, "log"),
        ({"data": {"log": (BytesIO(LOG), "a"), "rule": "x"}}, 400, "rule"),
        ({"data": {"log": (BytesIO(LOG), "a"), "rules": "no-such-game"}}, 400, "drive-on"),
        ({"data": {"log": (BytesIO(LOG), "a"), "rules": "../rules/drive-on-stalingrad"}}, 400, "drive-on"),
        ({"data": {"log": (BytesIO(LOG), "a"), "profile": "/etc"}}, 400, "drive-on"),
        ({"data": {"log": (BytesIO(LOG), "a"), "module": [(BytesIO(LOG), "b"), (BytesIO(LOG), "c")]}}, 400, "module"),
        ({"data": {"log": (BytesIO(b""), "empty.vlog")}}, 422, "empty"),
        ({"data": {"log": (BytesIO(b"PK\3\4rest"), "cut.vlog")}}, 422, "damaged"),
        ({"data": {"log": (BytesIO(LOG), "a"), "module": (BytesIO(LOG), "b")}}, 422, "build file"),
        ({"data": b"", "content_type": "application/octet-stream"}, 422, "empty"),
        ({"data": LOG, "content_type": "text/plain"}, 415, "multipart"),
        ({"json": {"log": "x"}}, 415, "multipart"),
    ],
)
def test_what_cannot_be_served_is_refused_in_one_shape(
    client: FlaskClient, request_: dict[str, Any], status: int, word: str
) -> None:
    answer = client.post("/v1/audit", **request_)
    body = answer.get_json()
    assert (answer.status_code, body["ok"]) == (status, False)
    assert set(body["error"]) == {"code", "message", "where"}
    assert word in body["error"]["message"]


def test_the_place_of_a_fault_is_named(client: FlaskClient) -> None:
    answer = client.post("/v1/audit", data={"log": (BytesIO(b"!VCSK00zz"), "bad.vlog")})
    assert answer.get_json()["error"]["where"].startswith("bad.vlog")


def test_a_file_that_unpacks_too_large_is_refused(make_client: Callable[[Settings], FlaskClient]) -> None:
    client = make_client(Settings(token="t", port=8437, max_text_megabytes=1))
    answer = client.post("/v1/audit", data=b"!VCSK00" + b"41" * 1_000_001, content_type="application/octet-stream")
    assert (answer.status_code, answer.get_json()["error"]["code"]) == (413, "too-large")


def test_no_password_comes_back(client: FlaskClient) -> None:
    log = f"begin_save\x1bPLAYER\t{PASSWORD}\tAnna\tAxis\x1bend_save\x1bLOG\tCHAT{PASSWORD}".encode()
    answer = client.post("/v1/audit", data=log, content_type="application/octet-stream")
    assert answer.status_code == 200
    assert PASSWORD.encode() not in answer.data
    broken = client.post("/v1/audit", data=b"PK" + PASSWORD.encode(), content_type="application/octet-stream")
    assert PASSWORD.encode() not in broken.data


def test_when_all_places_are_taken_the_next_one_waits(make_client: Callable[[Settings], FlaskClient]) -> None:
    client = make_client(Settings(token="t", port=8437, max_audits=0))
    answer = client.post("/v1/audit", data=LOG, content_type="application/octet-stream")
    assert (answer.status_code, answer.get_json()["error"]["code"]) == (503, "busy")


def test_an_audit_that_takes_too_long_is_ended(
    make_client: Callable[[Settings], FlaskClient], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("vassal_bridge.web.work.audit_files", lambda *files, **options: forever())
    client = make_client(Settings(token="t", port=8437, max_seconds=1))
    answer = client.post("/v1/audit", data=LOG, content_type="application/octet-stream")
    assert (answer.status_code, answer.get_json()["error"]["code"]) == (504, "timeout")


def test_our_own_fault_tells_nothing_of_the_game(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fail(*files: object, **options: object) -> None:
        raise RuntimeError(PASSWORD)

    monkeypatch.setattr("vassal_bridge.web.work.audit_files", fail)
    answer = client.post("/v1/audit", data=LOG, content_type="application/octet-stream")
    assert (answer.status_code, answer.get_json()["error"]["code"]) == (500, "internal")
    assert PASSWORD not in answer.get_data(as_text=True) + caplog.text


def test_the_alarm_ends_work_and_leaves_quick_work_alone() -> None:
    with pytest.raises(TooLongError):
        within(0.05, forever)
    assert within(0.5, lambda: 1) == 1
    time.sleep(0.7)  # an alarm that was not stopped would come now


def forever() -> None:
    while True:
        # The alarm must pass through whatever the work catches.
        with contextlib.suppress(Exception):
            time.sleep(0.001)
