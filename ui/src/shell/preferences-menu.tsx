import { Button as AriaButton } from "react-aria-components/Button";
import { Dialog, DialogTrigger, Heading } from "react-aria-components/Dialog";
import { Popover } from "react-aria-components/Popover";
import { Switch } from "react-aria-components/Switch";
import { Button } from "../parts/button.tsx";
import { Choice } from "../parts/choice.tsx";
import { leavePage } from "../parts/guarded-location.ts";
import { initials, patronName } from "../parts/portrait.tsx";
import { useWords } from "../words/index.tsx";
import { LANGUAGES, type Language } from "../words/languages.ts";
import { areSoundsOn, changePreferences, DENSITIES, THEMES, usePreferences } from "./preferences.ts";
import { signOut, useMember } from "./session.ts";

const languages = Object.entries(LANGUAGES).map(([id, name]) => ({ id: id as Language, name }));

export function PreferencesMenu() {
  const words = useWords();
  const { theme, density, language, sounds } = usePreferences();
  const { user } = useMember();
  const name = patronName(user);
  return (
    <DialogTrigger>
      <AriaButton className="me">
        <span aria-hidden="true">{initials(user)}</span>
        <span className="unseen">
          {words.signIn.as(name)}. {words.preferences.title}
        </span>
      </AriaButton>
      <Popover className="popover" placement="bottom end">
        <Dialog className="preferences">
          {({ close }) => (
            <>
              <Heading slot="title">{words.preferences.title}</Heading>
              <p className="help">{words.signIn.as(name)}</p>
              <Choice
                label={words.preferences.theme}
                options={THEMES.map((id) => ({ id, name: words.preferences.themes[id] }))}
                value={theme}
                onChange={(theme) => changePreferences({ theme })}
              />
              <Choice
                label={words.preferences.density}
                options={DENSITIES.map((id) => ({ id, name: words.preferences.densities[id] }))}
                value={density}
                onChange={(density) => changePreferences({ density })}
              />
              <Choice
                label={words.preferences.language}
                options={languages}
                value={language}
                onChange={(language) => changePreferences({ language })}
              />
              <Switch
                className="switch"
                isSelected={areSoundsOn(sounds)}
                onChange={(sounds) => changePreferences({ sounds })}
              >
                <span className="track" aria-hidden="true" />
                {words.preferences.sounds}
              </Switch>
              <Button
                onPress={() => {
                  close();
                  leavePage(() => void signOut());
                }}
              >
                {words.signIn.out}
              </Button>
            </>
          )}
        </Dialog>
      </Popover>
    </DialogTrigger>
  );
}
