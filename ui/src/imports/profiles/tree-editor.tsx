/** The tree of a job profile: what is matched, what follows in each case, and what is done. */

import { useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { Link } from "wouter";
import { type ActionProfile, type Profile, loadProfile as profileOf } from "../../api/import-profiles.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { DialogOpener } from "../../parts/opens.tsx";
import { announce } from "../../scanning/signals.tsx";
import { ProfileFinder } from "../profile-finder.tsx";
import { KINDS, pathOf } from "./kinds.ts";
import {
  BRANCHES,
  findMapping,
  insertNode,
  lacksMatch,
  moveNode,
  type Path,
  removeNode,
  type TreeNode,
} from "./tree.ts";
import { useProfileWords } from "./words/index.tsx";

type ChangeTree = (change: (tree: readonly TreeNode[]) => TreeNode[]) => void;

interface Props {
  tree: readonly TreeNode[];
  change: ChangeTree;
  isDisabled: boolean;
  error: string | undefined;
}

export function TreeEditor({ tree, change, isDisabled, error }: Props) {
  const words = useProfileWords().tree;
  return (
    <section className="sheet" aria-labelledby="import-tree">
      <h2 id="import-tree">{words.title}</h2>
      <p className="help">{words.help}</p>
      {error && (
        <p className="banner bad" data-mistake tabIndex={-1}>
          {error}
        </p>
      )}
      {tree.length === 0 && <p className="empty">{words.empty}</p>}
      <TreeList nodes={tree} list={[]} placeName={words.atTop} change={change} isDisabled={isDisabled} />
    </section>
  );
}

interface TreeListProps {
  nodes: readonly TreeNode[];
  list: Path;
  /** For screen readers: the match and branch to which this list belongs. */
  placeName: string;
  change: ChangeTree;
  isDisabled: boolean;
}

function TreeList({ nodes, list, placeName, change, isDisabled }: TreeListProps) {
  const words = useProfileWords().tree;
  return (
    <div className="tree-list">
      <ol>
        {nodes.map((node, index) => (
          <TreeItem
            // biome-ignore lint/suspicious/noArrayIndexKey: a profile may stand here more than once
            key={`${node.id} ${index}`}
            {...{ node, list, change, isDisabled }}
            index={index}
            isLast={index === nodes.length - 1}
          />
        ))}
      </ol>
      {nodes.length === 0 && list.length > 0 && isDisabled && <p className="help">{words.nothing}</p>}
      {!isDisabled && (
        <div className="tree-add">
          <AddButton is="match" {...{ list, where: placeName, change }} />
          <AddButton is="action" {...{ list, where: placeName, change }} />
        </div>
      )}
    </div>
  );
}

interface TreeItemProps {
  node: TreeNode;
  list: Path;
  index: number;
  isLast: boolean;
  change: ChangeTree;
  isDisabled: boolean;
}

function TreeItem({ node, list, index, isLast, change, isDisabled }: TreeItemProps) {
  const all = useProfileWords();
  const words = all.tree;
  const box = useRef<HTMLLIElement>(null);
  const path = [...list, index];
  const { name } = node.profile;
  const type = node.is === "match" ? "MATCH_PROFILE" : "ACTION_PROFILE";
  const move = (by: 1 | -1) => {
    // The focus follows the moved profile.
    const list = box.current?.parentElement;
    change((tree) => moveNode(tree, path, by));
    requestAnimationFrame(() => {
      const there = list?.children[index + by];
      const buttons = there?.querySelectorAll<HTMLButtonElement>(":scope > .tree-head .tree-tools button");
      const button = buttons?.[by === 1 ? 1 : 0];
      (button?.disabled ? buttons?.[by === 1 ? 0 : 1] : button)?.focus();
    });
  };
  return (
    <li className={`tree-node ${node.is}`} ref={box}>
      <div className="tree-head">
        <div className="what">
          <span>
            <span className="tree-kind">{words[node.is]}</span>{" "}
            <Link href={pathOf(type, node.id)}>
              <bdi>{name}</bdi>
            </Link>
          </span>
          {node.is === "action" && <ActionSummary node={node} />}
          {node.profile.description && <small>{node.profile.description}</small>}
          {lacksMatch(node, list) && <p className="error">{words.needsMatch}</p>}
        </div>
        {!isDisabled && (
          <div className="tree-tools">
            <Button kind="quiet" aria-label={words.up(name)} isDisabled={index === 0} onPress={() => move(-1)}>
              <span aria-hidden="true">↑</span>
            </Button>
            <Button kind="quiet" aria-label={words.down(name)} isDisabled={isLast} onPress={() => move(1)}>
              <span aria-hidden="true">↓</span>
            </Button>
            <Button
              kind="quiet"
              aria-label={words.remove(name)}
              onPress={() => {
                const next = box.current
                  ?.closest(".tree-list")
                  ?.querySelector<HTMLElement>(":scope > .tree-add button");
                change((tree) => removeNode(tree, path));
                announce(words.removed(name));
                next?.focus();
              }}
            >
              <span className="cross" aria-hidden="true" />
            </Button>
          </div>
        )}
      </div>
      {node.is === "match" &&
        BRANCHES.map((branch) => {
          const says = branch === "MATCH" ? words.forMatches : words.forNonMatches;
          return (
            <section className={`tree-branch ${branch}`} key={branch} aria-label={`${says}: ${name}`}>
              <h3>{says}</h3>
              <TreeList
                nodes={node.branches[branch]}
                list={[...path, branch]}
                placeName={`${says} (${name})`}
                {...{ change, isDisabled }}
              />
            </section>
          );
        })}
    </li>
  );
}

function ActionSummary({ node }: { node: TreeNode & { is: "action" } }) {
  const words = useProfileWords();
  const { action, folioRecord } = node.profile;
  return (
    <small>
      {words.action.actions[action] ?? action} · {words.recordTypes[folioRecord] ?? folioRecord} ·{" "}
      {node.mapping ? (
        <Link href={pathOf("MAPPING_PROFILE", node.mapping.id)}>{words.tree.mapping(node.mapping.name)}</Link>
      ) : (
        words.tree.noMapping
      )}
    </small>
  );
}

function AddButton({
  is,
  list,
  where,
  change,
}: {
  is: "match" | "action";
  list: Path;
  where: string;
  change: ChangeTree;
}) {
  const words = useProfileWords();
  const says = is === "match" ? words.tree.addMatch : words.tree.addAction;
  return (
    <DialogOpener>
      <Button aria-label={words.tree.to(says, where)}>{says}</Button>
      <Dialog title={words.tree.pick[is]}>
        {(close) => <ProfilePicker is={is} list={list} change={change} close={close} />}
      </Dialog>
    </DialogOpener>
  );
}

interface ProfilePickerProps {
  is: "match" | "action";
  list: Path;
  change: ChangeTree;
  close: () => void;
}

function ProfilePicker({ is, list, change, close }: ProfilePickerProps) {
  const words = useProfileWords();
  const client = useQueryClient();
  const slug = is === "match" ? "matches" : "actions";
  const { path } = KINDS[slug];
  const pick = async (chosen: Profile) => {
    const id = chosen.id ?? "";
    close();
    announce(words.tree.added(chosen.name));
    if (is === "match") {
      change((tree) => insertNode(tree, list, { is, id, profile: chosen, branches: { MATCH: [], NON_MATCH: [] } }));
      return;
    }
    // The mapping profile is in the profile with its children, which has to be loaded.
    const whole = await client
      .fetchQuery({
        queryKey: ["import-profiles", path, id],
        queryFn: () => profileOf<ActionProfile>(path, id),
        retry: false,
      })
      .catch(() => undefined);
    const mapping = findMapping(whole?.childProfiles);
    const profile = chosen as ActionProfile;
    change((tree) => insertNode(tree, list, { is, id, profile, ...(mapping && { mapping }) }));
  };
  return (
    <ProfileFinder
      kind={path}
      label={words.kinds[slug].find}
      value={undefined}
      onChange={(chosen) => void pick(chosen)}
      autoFocus
    />
  );
}
