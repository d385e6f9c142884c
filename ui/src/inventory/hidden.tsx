/** Says that a record is suppressed from discovery or from staff. */

import { useWords } from "../words/index.tsx";

export function SuppressionMarks({ record }: { record: { discoverySuppress?: boolean; staffSuppress?: boolean } }) {
  const { fields } = useWords().editing;
  return (
    <>
      {record.discoverySuppress && <p className="fact">{fields.discoverySuppress}</p>}
      {record.staffSuppress && <p className="fact">{fields.staffSuppress}</p>}
    </>
  );
}
