"""Whose browser a request is from, as a FastAPI dependency."""

from typing import Annotated

from fastapi import Depends, HTTPException, Request

from bot.model.events import AuthorRef
from bot.web.page.identities import objection, visitor_of
from bot.web.page.parts import Page


def named_visitor(request: Request, parts: Page) -> AuthorRef | None:
    """The account of a browser under a name that can be used; None where it has to be asked."""
    visitor = visitor_of(request.session)
    if visitor is None or objection(visitor.name, parts.options.pet_name):
        return None
    return visitor


def _must_be_named(
    request: Request,
    parts: Page,
    visitor: Annotated[AuthorRef | None, Depends(named_visitor)],
) -> AuthorRef:
    if visitor is None:
        raise HTTPException(401, parts.texts(request).say("page.no_name"))
    return visitor


MaybeVisitor = Annotated[AuthorRef | None, Depends(named_visitor)]
"""The visitor, where the browser has a name."""
Visitor = Annotated[AuthorRef, Depends(_must_be_named)]
"""The visitor; a browser without a name is asked for one."""
