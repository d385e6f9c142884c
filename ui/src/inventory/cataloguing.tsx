/** The routes of the item page, and of the forms of titles, holdings and items. */

import { Route, Switch } from "wouter";
import { EditHoldings, NewHoldings } from "./editing/holdings-form.tsx";
import { EditItem } from "./editing/item-form.tsx";
import { NewItems } from "./editing/new-items.tsx";
import { EditTitle, NewTitle } from "./editing/title-form.tsx";
import { ItemPage } from "./item/page.tsx";
import "../settings/settings.css";
import "../style/cataloguing.css";
import "../style/inventory.css";

export default function Cataloguing() {
  return (
    <Switch>
      <Route path="/inventory/new" component={NewTitle} />
      <Route path="/inventory/:id/edit" component={EditTitle} />
      <Route path="/inventory/:id/holdings/new" component={NewHoldings} />
      <Route path="/inventory/:id/holdings/:holdings/edit" component={EditHoldings} />
      <Route path="/inventory/:id/holdings/:holdings/items/new" component={NewItems} />
      <Route path="/inventory/:id/items/:item" component={ItemPage} />
      <Route path="/inventory/:id/items/:item/edit" component={EditItem} />
    </Switch>
  );
}
