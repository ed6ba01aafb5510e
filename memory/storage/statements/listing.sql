-- name: page
-- Keys are found first along memories_held: the rest of a row is read for one page of them only.
WITH page AS MATERIALIZED (
    SELECT m.seq FROM memories AS m
    WHERE m.store = :store AND m.forgotten_at IS NULL AND m.seq > 0
        AND (m.valid_from, m.seq) < (:before_at, :before_seq)
        AND m.valid_from >= :since AND m.valid_from < :until
        AND iif(:at IS NULL, m.superseded_by IS NULL, m.valid_until IS NULL OR m.valid_until > :at)
        AND (m.expires_at IS NULL OR m.expires_at > coalesce(:at, :now))
        AND (:memory_type IS NULL OR m.memory_type = :memory_type)
        AND (:category IS NULL OR m.category = :category)
        AND (:room IS NULL OR m.room_id = :room)
        AND (:space IS NULL OR m.space = :space)
        AND (:visibility IS NULL OR m.visibility = :visibility)
        AND (:source IS NULL OR m.source = :source)
        AND (:audiences IS NULL OR m.audience IN (SELECT value FROM json_each(:audiences)))
    ORDER BY m.valid_from DESC, m.seq DESC LIMIT :limit
)
SELECT k.* FROM page CROSS JOIN kept_memories AS k ON k.seq = page.seq
ORDER BY k.valid_from DESC, k.seq DESC

-- name: page_of_person
-- The same of what came from one person, is their claim, or is about them.
WITH own AS MATERIALIZED (
    SELECT seq FROM memories WHERE person_id = :person
    UNION
    SELECT seq FROM memories WHERE author_id = :person
    UNION
    SELECT seq FROM memories WHERE about_person = :person
), page AS MATERIALIZED (
    SELECT m.seq FROM own CROSS JOIN memories AS m ON m.seq = own.seq
    WHERE m.store = :store AND m.forgotten_at IS NULL
        AND (m.valid_from, m.seq) < (:before_at, :before_seq)
        AND m.valid_from >= :since AND m.valid_from < :until
        AND iif(:at IS NULL, m.superseded_by IS NULL, m.valid_until IS NULL OR m.valid_until > :at)
        AND (m.expires_at IS NULL OR m.expires_at > coalesce(:at, :now))
        AND (:memory_type IS NULL OR m.memory_type = :memory_type)
        AND (:category IS NULL OR m.category = :category)
        AND (:room IS NULL OR m.room_id = :room)
        AND (:space IS NULL OR m.space = :space)
        AND (:visibility IS NULL OR m.visibility = :visibility)
        AND (:source IS NULL OR m.source = :source)
        AND (:audiences IS NULL OR m.audience IN (SELECT value FROM json_each(:audiences)))
    ORDER BY m.valid_from DESC, m.seq DESC LIMIT :limit
)
SELECT k.* FROM page CROSS JOIN kept_memories AS k ON k.seq = page.seq
ORDER BY k.valid_from DESC, k.seq DESC

-- name: sources
SELECT g.id, g.author, g.text, g.room_id AS room, g.sent_at AS at
FROM memory_sources AS s CROSS JOIN messages AS g ON g.id = s.message_id
WHERE s.memory_id = :id AND g.deleted_at IS NULL AND g.text <> ''
    AND (:audiences IS NULL OR g.audience IN (SELECT value FROM json_each(:audiences)))
ORDER BY g.id LIMIT :limit

-- name: ties
-- What is replaced is no company; a statement takes the place of another in its history.
WITH ends AS MATERIALIZED (
    SELECT from_id, to_id, relation, weight, to_id AS other FROM associations WHERE from_id = :id
    UNION ALL
    SELECT from_id, to_id, relation, weight, from_id FROM associations WHERE to_id = :id
)
SELECT m.*, e.from_id AS start, e.to_id AS "end", e.relation, e.weight
FROM ends AS e CROSS JOIN active_memories AS m ON m.id = e.other
WHERE (m.expires_at IS NULL OR m.expires_at > :now)
    AND (:audiences IS NULL OR m.audience IN (SELECT value FROM json_each(:audiences)))
ORDER BY e.weight DESC, m.seq DESC LIMIT :limit
