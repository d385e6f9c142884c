-- What FOLIO brings with mod-service-interaction 4.0.2: vocabularies, number generators, a type of widgets. What is there already stays.
-- Triggers fill the columns beside the documents.
insert into servint_refdata_category (id, doc)
select id, json_build_object('id', id, 'desc', description, 'internal', true)
from (
  select octavo.fresh_id() as id, description
  from (values ('DashboardAccess.Access'), ('NumberGeneratorSequence.CheckDigitAlgo'),
               ('NumberGeneratorSequence.MaximumCheck')) as named (description)
) as made
on conflict do nothing;

-- The values of MaximumCheck have the same ids in every tenant: the program gives them to sequences.
insert into servint_refdata_value (id, doc)
select id, json_build_object('id', id, 'owner', owner, 'value', value, 'label', label)
from (
  select coalesce(named.id::uuid, octavo.fresh_id()) as id, c.id as owner, value, label
  from (values
    (null, 'DashboardAccess.Access', 'manage', 'Manage'),
    (null, 'DashboardAccess.Access', 'edit', 'Edit'),
    (null, 'DashboardAccess.Access', 'view', 'View'),
    (null, 'NumberGeneratorSequence.CheckDigitAlgo', 'none', 'None'),
    (null, 'NumberGeneratorSequence.CheckDigitAlgo', 'ean13', 'EAN13'),
    (null, 'NumberGeneratorSequence.CheckDigitAlgo', 'modulo10', 'Modulo10'),
    (null, 'NumberGeneratorSequence.CheckDigitAlgo', 'modulo11', 'Modulo11'),
    (null, 'NumberGeneratorSequence.CheckDigitAlgo', 'modulo16', 'Modulo16'),
    (null, 'NumberGeneratorSequence.CheckDigitAlgo', 'modulo43', 'Modulo43'),
    (null, 'NumberGeneratorSequence.CheckDigitAlgo', 'modulo47', 'Modulo47'),
    ('5e7a1c00-0000-4000-8000-000000000001', 'NumberGeneratorSequence.MaximumCheck', 'below_threshold', 'Below threshold'),
    ('5e7a1c00-0000-4000-8000-000000000002', 'NumberGeneratorSequence.MaximumCheck', 'over_threshold', 'Over threshold'),
    ('5e7a1c00-0000-4000-8000-000000000003', 'NumberGeneratorSequence.MaximumCheck', 'at_maximum', 'At maximum')
  ) as named (id, description, value, label)
  join servint_refdata_category c on c."desc" = named.description
) as made
on conflict do nothing;

insert into servint_number_generator (id, doc)
select id, json_build_object('id', id, 'code', code, 'name', name)
from (
  select octavo.fresh_id() as id, code, name
  from (values
    ('openAccess', 'Open access: Publication request number'),
    ('patronRequest', 'ILL: Patron request number'),
    ('users_patronBarcode', 'Users: Patron barcode'),
    ('organizations_vendorCode', 'Organizations: Vendor code'),
    ('inventory_accessionNumber', 'Inventory: Accession number'),
    ('inventory_callNumber', 'Inventory: Call number'),
    ('inventory_itemBarcode', 'Inventory: Item barcode'),
    ('serialsManagement_patternNumber', 'Serials management: Pattern number')
  ) as named (code, name)
) as made
on conflict do nothing;

insert into servint_number_generator_sequence (id, doc)
select id, json_build_object(
  'id', id, 'owner', owner, 'code', code, 'name', name, 'format', format, 'nextValue', 1, 'enabled', true,
  'outputTemplate', template, 'checkDigitAlgo', algorithm
)
from (
  select octavo.fresh_id() as id, g.id as owner, named.code, named.name, format, template, v.id as algorithm
  from (values
    ('openAccess', 'requestSequence', 'Request sequence', '000000000', 'ean13', 'oa-${generated_number}-${checksum}'),
    ('patronRequest', 'requestSequence', 'Request sequence', '000000000', 'ean13', 'ill-${generated_number}-${checksum}'),
    ('users_patronBarcode', 'patron', 'Patron', '000000000', 'ean13', 'P${generated_number}-${checksum}'),
    ('users_patronBarcode', 'staff', 'Staff', '000000000', 'ean13', 'S${generated_number}-${checksum}'),
    ('organizations_vendorCode', 'vendor', 'Vendor', '000', 'none', 'K${generated_number}'),
    ('inventory_accessionNumber', 'accessionNumber', 'Accession number', '00000', 'none', '31A-2023-${generated_number}'),
    ('inventory_callNumber', 'callNumber', 'Call number', '00000', 'none', 'B 2023 / ${generated_number}'),
    ('inventory_itemBarcode', 'itemBarcode', 'Item barcode', '0000000000', 'none', '${generated_number}'),
    ('serialsManagement_patternNumber', 'patternNumber', 'Pattern number', '000000000', 'ean13', 'sm-${generated_number}-${checksum}')
  ) as named (generator, code, name, format, check_digit, template)
  join servint_number_generator g on g.code = named.generator
  join servint_refdata_category c on c."desc" = 'NumberGeneratorSequence.CheckDigitAlgo'
  join servint_refdata_value v on v.owner = c.id and v.value = named.check_digit
) as made
on conflict do nothing;

insert into servint_widget_type (id, doc)
select id, json_build_object('id', id, 'name', 'SimpleSearch', 'typeVersion', '1.0', 'schema',
  '{"$schema":"http://json-schema.org/draft-07/schema#","title":"SimpleSearch","type":"object","required":["baseUrl","results"],'
  '"properties":{"baseUrl":{"type":"string"},"resource":{"type":"string"},"results":{"type":"object","required":["columns"],'
  '"properties":{"columns":{"type":"array","items":{"type":"object","required":["name"]}}}},"matches":{"type":"object"},'
  '"filters":{"type":"object"},"sort":{"type":"object"},"configurableProperties":{"type":"object"}},"additionalProperties":false}')
from (select octavo.fresh_id() as id) as made
on conflict do nothing;
