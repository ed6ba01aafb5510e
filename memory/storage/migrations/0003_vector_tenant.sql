-- Whose points in a vector server that several pets share are this one's. Not `pet.id`: that names
-- the backups of a pet, which a copy that goes on as a pet of its own may still have to restore.
INSERT INTO meta (key, value) VALUES ('vectors.pet', lower(hex(randomblob(16))));
