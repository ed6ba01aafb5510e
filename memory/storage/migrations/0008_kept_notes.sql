-- How far a person has seen what is kept of their words, as a `seq` of memories; NULL where they did
-- not ask to see it.
ALTER TABLE people ADD COLUMN kept_seen INTEGER;
