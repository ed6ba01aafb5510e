-- name: tables
-- Ordinary tables; those that full text keeps for itself follow by its triggers.
SELECT t.name, c.name AS column, c.pk
FROM pragma_table_list AS t JOIN pragma_table_info(t.name) AS c
WHERE t.schema = 'main' AND t.type = 'table'
ORDER BY t.name, c.cid

-- name: written
SELECT tbl, action, before, after FROM forgetting_rows
WHERE forgetting_id = :forgetting ORDER BY position DESC

-- name: words
-- What a forgetting took and its moment, as `words_going` reads it where it still stands.
SELECT iif(tbl = 'turns', '', before ->> 'search_text') AS stems,
    iif(tbl = 'turns', before ->> 'text', '') AS text,
    coalesce(before ->> 'sent_at', before ->> 'valid_from', before ->> 'at') AS at
FROM forgetting_rows
WHERE forgetting_id = :forgetting AND tbl IN ('messages', 'turns', 'memories', 'knowledge')
    AND before ->> 'author_kind' IS NOT 'pet' AND before ->> 'kind' IS NOT 'summary'

-- name: clear
DELETE FROM forgetting_rows WHERE forgetting_id = :forgetting
