-- What FOLIO brings with mod-oa 2.0.0: vocabularies and settings. What is there already stays. Triggers fill the columns beside the documents.
insert into oa_refdata_category (id, doc)
select id, json_build_object('id', id, 'desc', description, 'internal', internal)
from (
  select octavo.fresh_id() as id, description, internal
  from (values
    ('Charge.Category', false),
    ('Charge.DiscountType', true),
    ('Charge.ChargeStatus', true),
    ('ChecklistItem.Outcome', true),
    ('ChecklistItem.Status', true),
    ('Correspondence.Status', false),
    ('Correspondence.Mode', false),
    ('Correspondence.Category', false),
    ('Funding.Funder', false),
    ('Funding.AspectFunded', false),
    ('IdentifierOccurrence.Status', true),
    ('Party.InstitutionLevel1', false),
    ('Payer.Payer', false),
    ('PublicationIdentifier.Type', false),
    ('PublicationRequest.RequestStatus', true),
    ('PublicationRequest.ClosureReason', false),
    ('PublicationRequest.PublicationType', true),
    ('PublicationRequest.Subtype', false),
    ('PublicationRequest.Publisher', false),
    ('PublicationRequest.License', false),
    ('Global.Yes_No', true),
    ('Work.OaStatus', false),
    ('PublicationStatus.PublicationStatus', false),
    ('RequestParty.Role', true),
    ('TitleInstance.PublicationType', true),
    ('TitleInstance.Type', true),
    ('TitleInstance.SubType', true),
    ('PublicationRequestHistory.FromState', true),
    ('PublicationRequestHistory.ToState', true),
    ('InstitutionName', false),
    ('requestStatus', false)
  ) as named (description, internal)
) as made
on conflict do nothing;

insert into oa_refdata_value (id, doc)
select id, json_build_object('id', id, 'owner', owner, 'value', value, 'label', label)
from (
  select octavo.fresh_id() as id, c.id as owner, value, label
  from (values
    ('Charge.Category', 'apc', 'APC'),
    ('Charge.Category', 'bpc', 'BPC'),
    ('Charge.DiscountType', 'percentage', 'percentage'),
    ('Charge.DiscountType', 'subtracted', 'subtracted'),
    ('Charge.ChargeStatus', 'expected', 'Expected'),
    ('Charge.ChargeStatus', 'invoiced', 'Invoiced'),
    ('Charge.ChargeStatus', 'paid', 'Paid'),
    ('ChecklistItem.Outcome', 'yes', 'Yes'),
    ('ChecklistItem.Outcome', 'no', 'No'),
    ('ChecklistItem.Outcome', 'other', 'Other'),
    ('ChecklistItem.Status', 'visible', 'Visible'),
    ('ChecklistItem.Status', 'hidden', 'Hidden'),
    ('Correspondence.Status', 'awaiting_reply', 'Awaiting Reply'),
    ('Correspondence.Status', 'response_needed', 'Response Needed'),
    ('Correspondence.Status', 'closed', 'Closed'),
    ('Correspondence.Mode', 'email', 'Email'),
    ('Correspondence.Mode', 'telephone', 'Telephone'),
    ('Correspondence.Category', 'invoice', 'Invoice'),
    ('Correspondence.Category', 'funding', 'Funding'),
    ('Funding.Funder', 'funder_1', 'Funder 1'),
    ('Funding.AspectFunded', 'research', 'Research'),
    ('Funding.AspectFunded', 'publication', 'Publication'),
    ('Party.InstitutionLevel1', 'faculty_1', 'Faculty 1'),
    ('Payer.Payer', 'library', 'Library'),
    ('Payer.Payer', 'dfg', 'DFG'),
    ('Payer.Payer', 'author', 'Author'),
    ('PublicationIdentifier.Type', 'pmid', 'PMID'),
    ('PublicationIdentifier.Type', 'isbn', 'ISBN'),
    ('PublicationRequest.RequestStatus', 'open', 'Open'),
    ('PublicationRequest.RequestStatus', 'closed', 'Closed'),
    ('PublicationRequest.ClosureReason', 'rejected', 'Rejected'),
    ('PublicationRequest.PublicationType', 'journal_article', 'Journal Article'),
    ('PublicationRequest.PublicationType', 'book', 'Book'),
    ('PublicationRequest.Subtype', 'subtype_1', 'Subtype 1'),
    ('PublicationRequest.Publisher', 'publisher_1', 'Publisher 1'),
    ('PublicationRequest.License', 'license_1', 'License 1'),
    ('Global.Yes_No', 'yes', 'Yes'),
    ('Global.Yes_No', 'no', 'No'),
    ('Work.OaStatus', 'gold', 'Gold'),
    ('Work.OaStatus', 'hybrid', 'Hybrid'),
    ('PublicationStatus.PublicationStatus', 'submitted', 'Submitted'),
    ('RequestParty.Role', 'corresponding_author', 'Corresponding author'),
    ('RequestParty.Role', 'request_contact', 'Request contact'),
    ('TitleInstance.PublicationType', 'book', 'Book'),
    ('TitleInstance.PublicationType', 'journal', 'Journal'),
    ('TitleInstance.Type', 'monograph', 'Monograph'),
    ('TitleInstance.Type', 'serial', 'Serial'),
    ('TitleInstance.SubType', 'print', 'Print'),
    ('TitleInstance.SubType', 'electronic', 'Electronic'),
    ('InstitutionName', 'institution_name', 'Institution name'),
    ('requestStatus', 'new', 'New')
  ) as named (description, value, label)
  join oa_refdata_category c on c."desc" = named.description
) as made
on conflict do nothing;

insert into oa_app_setting (id, doc)
select id, json_build_object('id', id, 'section', 'PublicationRequests', 'settingType', 'String', 'key', key)
from (select octavo.fresh_id() as id, key from unnest(array['hrid_prefix', 'default_tax']) as key) as made
where not exists (select from oa_app_setting s where s.doc ->> 'key' = made.key);
