create index records_lb_marc_terms on records_lb using gin ("marcTerms") with (gin_pending_list_limit = 256)
  where state in ('ACTUAL', 'DELETED')
