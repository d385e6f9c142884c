// Sorts a table by the column whose head is chosen, and shows the rows that hold what is typed above it. Without it the report
// reads the same.
for (const table of document.querySelectorAll("table.long")) {
  const body = table.tBodies[0];
  const number = (text) => Number.parseFloat(text.replaceAll(",", "").replace("\u2212", "-").replace("+", ""));
  const cell = (row, at) => row.cells[at].textContent;
  // In another order, or with rows left out, each row has to name itself.
  const nameAll = () => {
    for (const repeated of body.querySelectorAll(".repeated")) repeated.classList.remove("repeated");
  };
  const compared = (one, other, at) => {
    const [left, right] = [cell(one, at), cell(other, at)];
    const [least, most] = [number(left), number(right)];
    return Number.isNaN(least) || Number.isNaN(most) ? left.localeCompare(right) : least - most;
  };
  [...table.tHead.rows[0].cells].forEach((head, at) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    if (!button.textContent) button.setAttribute("aria-label", "name");
    head.append(button);
    button.addEventListener("click", () => {
      nameAll();
      const down = head.getAttribute("aria-sort") === "descending";
      for (const other of table.tHead.rows[0].cells) other.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", down ? "ascending" : "descending");
      const rows = [...body.rows].sort((one, other) => compared(one, other, at));
      body.append(...(down ? rows : rows.reverse()));
    });
  });
  if (body.rows.length < 8) continue;
  const field = document.createElement("input");
  field.type = "search";
  field.placeholder = `Filter ${body.rows.length} rows`;
  field.setAttribute("aria-label", field.placeholder);
  field.addEventListener("input", () => {
    nameAll();
    const wanted = field.value.toLowerCase();
    for (const row of body.rows) row.hidden = !row.textContent.toLowerCase().includes(wanted);
  });
  table.parentElement.before(field);
}
