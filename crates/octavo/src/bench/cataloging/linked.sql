-- The imported records get one more field, whose heading is that of the authority $1.
update records_lb
set doc = jsonb_set(doc::jsonb, '{parsedRecord,content,fields}', (doc::jsonb #> '{parsedRecord,content,fields}') || jsonb_build_array(
  jsonb_build_object('700', jsonb_build_object('ind1', '1', 'ind2', ' ', 'subfields', jsonb_build_array(
    jsonb_build_object('a', 'Johnson, Samuel'), jsonb_build_object('0', 'n00001263'), jsonb_build_object('9', $1::uuid))))))::json
where doc ->> 'recordType' = 'MARC_BIB'
