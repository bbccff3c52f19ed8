from __future__ import annotations

from collections.abc import Callable
from typing import Any

import schemathesis
from flask.testing import FlaskClient
from hypothesis import HealthCheck, settings
from schemathesis.checks import not_a_server_error
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from vassal_bridge.web import Settings, create_app
from vassal_bridge.web.openapi import openapi_document

TOKEN = "a-token-of-a-test"
HEADERS = {"Authorization": f"Bearer {TOKEN}", "Host": "127.0.0.1:8437"}
app = create_app(Settings(token=TOKEN, port=8437))
schema = schemathesis.openapi.from_wsgi("/v1/openapi.json", app, headers=HEADERS)


def test_every_route_is_in_the_document_and_no_other() -> None:
    served = {
        (rule.rule, method.lower())
        for rule in app.url_map.iter_rules()
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}
    }
    described = {(path, method) for path, methods in openapi_document()["paths"].items() for method in methods}
    assert served == described


def test_the_served_document_is_the_one_we_make(make_client: Callable[[Settings], FlaskClient]) -> None:
    client = make_client(Settings(token=TOKEN, port=8437))
    assert client.get("/v1/openapi.json").get_json() == openapi_document()


@schema.parametrize()
@settings(max_examples=40, deadline=None, derandomize=True, suppress_health_check=list(HealthCheck))
def test_whatever_the_document_allows_is_answered_as_it_says(case: schemathesis.Case[Any]) -> None:
    case.headers.update(HEADERS)
    response = case.call_and_validate(
        base_url="http://127.0.0.1:8437",
        checks=[
            not_a_server_error,
            status_code_conformance,
            content_type_conformance,
            response_schema_conformance,
        ],
    )
    bears_token = response.request.headers.get("Authorization") == HEADERS["Authorization"]
    if bears_token and response.request.method != "OPTIONS":
        assert response.status_code not in {401, 403, 421}, "a guard must not answer in place of the route"
