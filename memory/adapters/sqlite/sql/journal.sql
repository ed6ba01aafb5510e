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
SELECT before ->> 'search_text' AS words FROM forgetting_rows
WHERE forgetting_id = :forgetting AND before ->> 'search_text' <> ''

-- name: clear
DELETE FROM forgetting_rows WHERE forgetting_id = :forgetting
