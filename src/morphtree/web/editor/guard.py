"""Keeping others out: only pages of this start."""

from __future__ import annotations

import secrets

from fastapi import HTTPException, Request

TOKEN = "x-morphtree-token"  # a header of our own: other sites' pages cannot send it unasked


def need_token(request: Request) -> None:
    """Let only those in who know the token of this start."""
    given = request.headers.get(TOKEN, "")
    if not secrets.compare_digest(given.encode(), request.app.state.token.encode()):
        raise HTTPException(403, "open the address that 'morphtree annotate' has printed")
