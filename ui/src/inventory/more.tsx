/** A menu of rarely used actions on a record. */

import { Button } from "react-aria-components/Button";
import { Menu, MenuItem, MenuTrigger } from "react-aria-components/Menu";
import { Popover } from "react-aria-components/Popover";
import { useLinkedWords } from "./words/linked.tsx";

interface Props {
  /** What the actions are about, if a page has several such menus. */
  subject?: string;
  isQuiet?: boolean;
  choices: readonly (false | { name: string; onChoose: () => void })[];
}

export function MoreMenu({ subject, isQuiet = false, choices }: Props) {
  const own = useLinkedWords();
  const offered = choices.filter((choice) => choice !== false);
  if (offered.length === 0) return null;
  return (
    <MenuTrigger>
      <Button className={isQuiet ? "button quiet" : "button"} {...(subject && { "aria-label": own.moreOf(subject) })}>
        {own.more}
        <span className="arrow" aria-hidden="true" />
      </Button>
      <Popover className="popover">
        <Menu className="options" onAction={(name) => offered.find((choice) => choice.name === name)?.onChoose()}>
          {offered.map(({ name }) => (
            <MenuItem className="option" id={name} key={name}>
              {name}
            </MenuItem>
          ))}
        </Menu>
      </Popover>
    </MenuTrigger>
  );
}
