mod damage;
mod expressions;
mod flow_holdings;
mod flow_instance;
mod flow_marc;
mod flow_other_marc;
mod library;
mod mappings;
mod matching;
mod modifying;
mod numbers;
mod overlaying;
mod profiles;
mod text;

pub(crate) use text::marc;
