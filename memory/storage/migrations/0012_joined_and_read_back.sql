-- What was a person's own before they were joined with another one, where its row names no account:
-- a space that they know, a quiet topic, an import that is theirs alone. It goes with their first
-- account when that is split off.
CREATE TABLE joined_belongings (
    owner TEXT NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('space', 'topic', 'import')),
    value TEXT NOT NULL,
    PRIMARY KEY (owner, kind, value)
) STRICT, WITHOUT ROWID;
CREATE TRIGGER space_members_gone AFTER DELETE ON space_members BEGIN
    DELETE FROM joined_belongings WHERE kind = 'space' AND value = old.space AND (
        owner = old.person_id OR owner IN (SELECT id FROM people WHERE merged_into = old.person_id)
    );
END;
CREATE TRIGGER quiet_topics_gone AFTER DELETE ON quiet_topics BEGIN
    DELETE FROM joined_belongings WHERE kind = 'topic' AND value = old.topic AND (
        owner = old.person_id OR owner IN (SELECT id FROM people WHERE merged_into = old.person_id)
    );
END;
-- Rooms of which what was said before the pet came is to be read, an hour after they were told.
CREATE TABLE past_readings (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    room_id TEXT NOT NULL REFERENCES rooms (id),
    days INTEGER NOT NULL,
    locale TEXT NOT NULL,
    asked_at INTEGER NOT NULL,
    told_at INTEGER,
    state TEXT NOT NULL CHECK (state IN ('asked', 'told', 'read', 'stopped', 'failed')),
    import_id INTEGER REFERENCES imports (id) ON DELETE SET NULL
) STRICT;
CREATE UNIQUE INDEX past_readings_open ON past_readings (room_id) WHERE state IN ('asked', 'told');
