-- Whom a key looks things up for: a manager of one community, or one person. Neither: the owner.
ALTER TABLE api_keys ADD COLUMN space TEXT;
ALTER TABLE api_keys ADD COLUMN person_id TEXT;
