/** A menu of what is rarely done with a record. */

import { Button } from "react-aria-components/Button";
import { Menu, MenuItem, MenuTrigger } from "react-aria-components/Menu";
import { Popover } from "react-aria-components/Popover";
import { useLinkedWords } from "./words/linked.tsx";

interface Props {
  /** What it is about, where a page has several. */
  of?: string;
  isQuiet?: boolean;
  choices: readonly (false | { name: string; does: () => void })[];
}

export function More({ of, isQuiet = false, choices }: Props) {
  const own = useLinkedWords();
  const offered = choices.filter((choice) => choice !== false);
  if (offered.length === 0) return null;
  return (
    <MenuTrigger>
      <Button className={isQuiet ? "button quiet" : "button"} {...(of && { "aria-label": own.moreOf(of) })}>
        {own.more}
        <span className="arrow" aria-hidden="true" />
      </Button>
      <Popover className="popover">
        <Menu className="options" onAction={(name) => offered.find((choice) => choice.name === name)?.does()}>
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
