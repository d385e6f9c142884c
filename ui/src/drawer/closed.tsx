/** The report of a closed cash drawer: the expected amount, the counted amount, and a printout. */

import { Button } from "../parts/button.tsx";
import { Icon } from "../parts/icons.tsx";
import { usePrint } from "../parts/paper.tsx";
import { ReceiptHead } from "../parts/receipt-head.tsx";
import { useFormats, useWords } from "../words/index.tsx";
import { countDifference, type DrawerClosing, expectedAmount } from "./drawers.ts";
import { useDrawerWords } from "./words/index.tsx";

export function ClosedReport({ closed }: { closed: DrawerClosing }) {
  const words = useDrawerWords().report;
  const common = useWords();
  const formats = useFormats();
  const [paper, print] = usePrint();
  const left = countDifference(closed);
  const amount = formats.money(Math.abs(left));
  return (
    <>
      <h2>{words.title}</h2>
      <p className={left === 0 ? "signal hold" : "signal other"} role="status">
        <Icon name={left === 0 ? "done" : "warning"} />
        {left === 0 ? words.even : (left < 0 ? words.short : words.over)(amount)}
      </p>
      <DrawerSums closed={closed} />
      <Button
        className="start"
        onPress={() =>
          print(
            <>
              <ReceiptHead />
              <h3>{words.title}</h3>
              <DrawerSums closed={closed} />
            </>,
          )
        }
      >
        {common.print}
      </Button>
      {paper}
    </>
  );
}

function DrawerSums({ closed }: { closed: DrawerClosing }) {
  const words = useDrawerWords().report;
  const formats = useFormats();
  const { opened, payments, out, counted, remark } = closed;
  const lines = [
    [words.opened, `${formats.moment(opened.at)}, ${opened.by}`],
    [words.closed, `${formats.moment(closed.at)}, ${closed.by}`],
    [words.float, formats.money(opened.float)],
    ...Object.entries(payments).map(([method, sum]) => [`${words.payments}: ${method}`, formats.money(sum)]),
    // Avoids a negative zero.
    [words.out, formats.money(0 - out)],
    [words.expected, formats.money(expectedAmount(closed))],
    [words.counted, formats.money(counted)],
    [words.difference, formats.money(countDifference(closed))],
  ] as const;
  return (
    <>
      <table className="sums">
        <tbody>
          {lines.map(([name, value]) => (
            <tr key={name}>
              <th scope="row">{name}</th>
              <td>{value}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {remark && <p>{remark}</p>}
    </>
  );
}
