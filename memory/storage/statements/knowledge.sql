-- name: keep
-- The same again changes nothing, so that no embedding is made twice.
INSERT INTO knowledge (
    id, kind, title, content, search_text, channel, about_person, person_id, account, room_id, space,
    visibility, audience, since, at, created_at
) VALUES (
    :id, :kind, :title, :content, :search_text, :channel, :about, :person, :account, :room, :space,
    :visibility, :audience, :since, :at, :now
)
ON CONFLICT (id) DO UPDATE SET
    title = excluded.title,
    content = excluded.content,
    search_text = excluded.search_text,
    audience = excluded.audience,
    visibility = excluded.visibility,
    space = excluded.space,
    person_id = excluded.person_id,
    account = excluded.account,
    room_id = excluded.room_id,
    since = excluded.since,
    at = excluded.at,
    revision = revision + 1,
    retired_at = NULL
WHERE content <> excluded.content OR audience <> excluded.audience OR at <> excluded.at
    OR title <> excluded.title OR retired_at IS NOT NULL
RETURNING id

-- name: retire
UPDATE knowledge SET retired_at = :now, revision = revision + 1
WHERE id IN (SELECT value FROM json_each(:ids)) AND retired_at IS NULL
RETURNING id

-- name: drop
DELETE FROM knowledge WHERE id IN (SELECT value FROM json_each(:ids)) RETURNING id

-- name: visible
SELECT * FROM knowledge
WHERE id IN (SELECT value FROM json_each(:ids)) AND retired_at IS NULL
    AND (:audiences IS NULL OR audience IN (SELECT value FROM json_each(:audiences)))
    AND (:audiences IS NULL OR carries = '[]' OR NOT EXISTS (
        SELECT 1 FROM json_each(carries) AS c
        WHERE c.value NOT IN (SELECT value FROM json_each(:audiences))
    ))

-- name: gone
SELECT id, CASE WHEN content = '' THEN 'forgotten' ELSE 'replaced' END AS fate FROM knowledge
WHERE id IN (SELECT value FROM json_each(:ids)) AND retired_at IS NOT NULL
    AND (:audiences IS NULL OR audience IN (SELECT value FROM json_each(:audiences)))

-- name: about
SELECT * FROM knowledge
WHERE about_person = :about AND kind = :kind AND retired_at IS NULL
    AND (:audiences IS NULL OR audience IN (SELECT value FROM json_each(:audiences)))
    AND (:audiences IS NULL OR carries = '[]' OR NOT EXISTS (
        SELECT 1 FROM json_each(carries) AS c
        WHERE c.value NOT IN (SELECT value FROM json_each(:audiences))
    ))
ORDER BY at DESC, seq DESC LIMIT :limit
