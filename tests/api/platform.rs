//! What holds for every route: how requests are routed, who is let in, and what is made of nonsense.

mod routing;
