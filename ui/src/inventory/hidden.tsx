/** From whom staff have hidden a record. */

import { useWords } from "../words/index.tsx";

export function Hidden({ from }: { from: { discoverySuppress?: boolean; staffSuppress?: boolean } }) {
  const { fields } = useWords().editing;
  return (
    <>
      {from.discoverySuppress && <p className="fact">{fields.discoverySuppress}</p>}
      {from.staffSuppress && <p className="fact">{fields.staffSuppress}</p>}
    </>
  );
}
