/** A job profile: what kind of file it is for, and its tree. */

import { useState } from "react";
import type { JobProfile, Wrapper } from "../../api/import-profiles.ts";
import { Choice } from "../../parts/choice.tsx";
import { useMay } from "../../shell/session.ts";
import { ProfileForm } from "./form.tsx";
import { permissionTo } from "./kinds.ts";
import { lacksMatch, relationsBetween, type TreeNode, treeFrom } from "./tree.ts";
import { TreeEditor } from "./tree-editor.tsx";
import { useProfileWords } from "./words/index.tsx";

export function JobForm({ stored, tree: before }: { stored: JobProfile; tree: Wrapper | undefined }) {
  const words = useProfileWords();
  const may = useMay();
  const [draft, setDraft] = useState(stored);
  const [tree, setTree] = useState<readonly TreeNode[]>(() => (before ? treeFrom(before) : []));
  const [isChanged, setChanged] = useState(stored.id === undefined && before !== undefined);
  const allowed = may(permissionTo(stored.id === undefined ? "post" : "put", "jobs"));
  return (
    <ProfileForm
      slug="jobs"
      stored={stored}
      draft={draft}
      change={(part) => {
        setChanged(true);
        setDraft((now) => ({ ...now, ...part }));
      }}
      isChanged={isChanged}
      check={(): Record<string, string> => {
        if (tree.length === 0) return { tree: words.tree.empties };
        return tree.some((node) => lacksMatch(node, [])) ? { tree: words.tree.needsMatch } : {};
      }}
      profileToSave={() => ({
        profile: draft,
        ...relationsBetween(stored.id === undefined ? undefined : before, tree, stored.id),
      })}
    >
      {(errorAt) => (
        <>
          <section className="sheet" aria-label={words.dataType}>
            <div className="fields">
              <Choice
                label={words.dataType}
                options={Object.entries(words.dataTypes).map(([id, name]) => ({ id, name }))}
                value={draft.dataType}
                onChange={(dataType) => {
                  setChanged(true);
                  setDraft((now) => ({ ...now, dataType }));
                }}
                help={draft.dataType === "MARC" ? undefined : words.notRun}
                error={errorAt("dataType")}
              />
            </div>
          </section>
          <TreeEditor
            tree={tree}
            change={(change) => {
              setChanged(true);
              setTree(change);
              // Makes the form clear its problems.
              setDraft((now) => ({ ...now }));
            }}
            isDisabled={!allowed}
            error={errorAt("tree")}
          />
        </>
      )}
    </ProfileForm>
  );
}
