//! The price of a charge: less the discount, plus tax (mod-oa 2.0.0, `Charge`).

/// SQL of the price, without rounding; `$doc` is the charge's document.
macro_rules! invoiced {
    ($doc:literal) => {
        concat!(
            "(case (select d.doc ->> 'value' from oa_refdata_value d where d.id::text = ",
            $doc,
            " ->> 'discountType') when 'percentage' then (",
            $doc,
            " -> 'amount' ->> 'value')::numeric * (1 - coalesce((",
            $doc,
            " ->> 'discount')::numeric, 0) / 100) * (1 + coalesce((",
            $doc,
            " ->> 'tax')::numeric, 0) / 100) when 'subtracted' then ((",
            $doc,
            " -> 'amount' ->> 'value')::numeric - coalesce((",
            $doc,
            " ->> 'discount')::numeric, 0)) * (1 + coalesce((",
            $doc,
            " ->> 'tax')::numeric, 0) / 100) else (",
            $doc,
            " -> 'amount' ->> 'value')::numeric end)"
        )
    };
}

pub(super) use invoiced;
