-- When a name was last spoken under, so that it is known what people are called now; NULL for what
-- statements tell.
ALTER TABLE aliases ADD COLUMN spoken_at INTEGER;
UPDATE aliases SET spoken_at = said.at
FROM (
    SELECT person_id, author, audience, max(sent_at) AS at FROM messages
    WHERE author_kind = 'person' AND person_id IS NOT NULL
    GROUP BY person_id, author, audience
) AS said
WHERE aliases.memory_id IS NULL AND aliases.person_id = said.person_id
    AND aliases.spelling = said.author AND aliases.audience = said.audience;

DROP TRIGGER aliases_to_heirs;
-- A name that the other is known by already is not kept twice.
CREATE TRIGGER aliases_to_heirs AFTER INSERT ON aliases
WHEN EXISTS (SELECT 1 FROM merged_people WHERE id IN (new.person_id, substr(new.audience, 8))) BEGIN
    INSERT OR IGNORE INTO aliases (
        name, spelling, person_id, other, audience, memory_id, spoken_at
    ) VALUES (
        new.name, new.spelling,
        coalesce((SELECT survivor FROM merged_people WHERE id = new.person_id), new.person_id),
        new.other,
        coalesce((
            SELECT survivor_audience FROM merged_people
            WHERE id = substr(new.audience, 8) AND audience = new.audience
        ), new.audience),
        new.memory_id, new.spoken_at
    );
    DELETE FROM aliases WHERE rowid = new.rowid;
END;
