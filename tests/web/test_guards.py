from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from typing import Any

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from vassal_bridge.web import Settings

PATHS = [("GET", "/v1/ping"), ("GET", "/v1/openapi.json"), ("POST", "/v1/audit"), ("GET", "/"), ("GET", "/v1/nothing")]
GOOD: Mapping[str, str] = {"Host": "127.0.0.1:8437", "Authorization": "Bearer a-token-of-a-test"}


def ask(client: FlaskClient, method: str, path: str, headers: Mapping[str, str]) -> TestResponse:
    client.environ_base.pop("HTTP_AUTHORIZATION", None)
    client.environ_base.pop("HTTP_HOST", None)
    host = headers.get("Host")
    return client.open(
        path,
        method=method,
        headers={key: value for key, value in headers.items() if key != "Host"},
        environ_overrides={"HTTP_HOST": host} if host is not None else {"HTTP_HOST": ""},
    )


def assert_refused(response: TestResponse, status: int, code: str) -> None:
    assert response.status_code == status
    body: dict[str, Any] = json.loads(response.data)
    assert body["ok"] is False
    assert set(body["error"]) == {"code", "message", "where"}
    assert body["error"]["code"] == code
    assert "WWW-Authenticate" not in response.headers
    assert "Access-Control-Allow-Origin" not in response.headers


@pytest.mark.parametrize(("method", "path"), PATHS)
@pytest.mark.parametrize(
    "token",
    [None, "", "a-token-of-a-test", "Bearer", "Bearer wrong", "bearer a-token-of-a-test", "Bearer a-token-of-a-testé"],
)
def test_without_the_token_nothing_is_served(client: FlaskClient, method: str, path: str, token: str | None) -> None:
    headers = {"Host": GOOD["Host"]} | ({} if token is None else {"Authorization": token})
    assert_refused(ask(client, method, path, headers), 401, "unauthorized")


@pytest.mark.parametrize(("method", "path"), PATHS)
@pytest.mark.parametrize("origin", ["https://evil.example", "http://127.0.0.1:8437", "null", ""])
def test_a_request_of_a_web_page_is_refused(client: FlaskClient, method: str, path: str, origin: str) -> None:
    assert_refused(ask(client, method, path, {**GOOD, "Origin": origin}), 403, "forbidden")


@pytest.mark.parametrize(("method", "path"), PATHS)
@pytest.mark.parametrize("host", ["evil.example:8437", "127.0.0.1", "127.0.0.1:80", "127.0.0.1:8437.evil.example", ""])
def test_a_foreign_host_is_refused(client: FlaskClient, method: str, path: str, host: str) -> None:
    assert_refused(ask(client, method, path, {**GOOD, "Host": host}), 421, "misdirected")


@pytest.mark.parametrize("host", ["127.0.0.1:8437", "localhost:8437"])
def test_our_own_names_are_served(client: FlaskClient, host: str) -> None:
    assert ask(client, "GET", "/v1/ping", {**GOOD, "Host": host}).status_code == 200


@pytest.mark.parametrize(("method", "path"), PATHS)
def test_no_browser_is_let_through_beforehand(client: FlaskClient, method: str, path: str) -> None:
    assert_refused(ask(client, "OPTIONS", path, GOOD), 403, "forbidden")


def test_a_request_that_is_too_large_is_refused(
    make_client: Callable[[Settings], FlaskClient], settings: Settings
) -> None:
    client = make_client(Settings(token=settings.token, port=settings.port, max_megabytes=1))
    for content_type in ("application/octet-stream", "multipart/form-data; boundary=x"):
        response = client.post("/v1/audit", data=b"x" * 1_000_001, content_type=content_type)
        assert_refused(response, 413, "too-large")


@pytest.mark.parametrize(
    ("method", "path", "status", "code"),
    [
        ("GET", "/", 404, "not-found"),
        ("GET", "/v1/nothing", 404, "not-found"),
        ("GET", "/v1/audit", 405, "method-not-allowed"),
        ("POST", "/v1/ping", 405, "method-not-allowed"),
        ("DELETE", "/v1/openapi.json", 405, "method-not-allowed"),
        ("POST", "/v1/audit", 415, "unsupported-media-type"),
    ],
)
def test_every_error_has_the_one_shape(client: FlaskClient, method: str, path: str, status: int, code: str) -> None:
    assert_refused(client.open(path, method=method), status, code)


def test_ping_speaks_to_the_helper_and_to_others(client: FlaskClient) -> None:
    plain = client.get("/v1/ping")
    assert plain.mimetype == "text/plain"
    assert plain.get_data(as_text=True).startswith("rules-service 1 ")
    answer = client.get("/v1/ping", headers={"Accept": "application/json"}).get_json()
    assert answer["ok"] is True
    assert (answer["service"], answer["protocol"]) == ("rules-service", 1)


def test_answers_are_not_kept_by_anybody(client: FlaskClient) -> None:
    assert client.get("/v1/ping").headers["Cache-Control"] == "no-store"


def test_the_token_is_not_in_the_settings_text(settings: Settings) -> None:
    assert settings.token not in repr(settings)
