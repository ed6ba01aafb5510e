"""The API under `/api`: a module a resource, JSON, errors as RFC 9457 says, pages by cursor."""
