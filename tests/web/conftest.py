from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from flask.testing import FlaskClient
from werkzeug.test import TestResponse

from vassal_bridge.web import Settings, create_app

PORT = 8437
TOKEN = "a-token-of-a-test"


class LocalClient(FlaskClient):
    """Asks for the right host unless the test says otherwise."""

    def open(self, *args: Any, **kwargs: Any) -> TestResponse:
        kwargs.setdefault("base_url", f"http://127.0.0.1:{PORT}")
        return super().open(*args, **kwargs)


@pytest.fixture
def settings() -> Settings:
    return Settings(token=TOKEN, port=PORT)


@pytest.fixture
def make_client() -> Callable[[Settings], FlaskClient]:
    """A client that asks as one of this user's programs does."""

    def make(settings: Settings) -> FlaskClient:
        app = create_app(settings)
        app.test_client_class = LocalClient
        client = app.test_client()
        client.environ_base["HTTP_AUTHORIZATION"] = f"Bearer {settings.token}"
        return client

    return make


@pytest.fixture
def client(settings: Settings, make_client: Callable[[Settings], FlaskClient]) -> FlaskClient:
    return make_client(settings)
