/** The tree of a job profile: what is matched, what follows in each case, and what is done. */

import { useQueryClient } from "@tanstack/react-query";
import { useRef } from "react";
import { Link } from "wouter";
import { type ActionProfile, type Profile, profile as profileOf } from "../../api/import-profiles.ts";
import { Button } from "../../parts/button.tsx";
import { Dialog } from "../../parts/dialog.tsx";
import { Opens } from "../../parts/opens.tsx";
import { announce } from "../../scanning/signals.tsx";
import { ProfileFinder } from "../profile-finder.tsx";
import { KINDS, pathOf } from "./kinds.ts";
import { BRANCHES, inserted, lacksMatch, mappingIn, moved, type Path, removed, type TreeNode } from "./tree.ts";
import { useProfileWords } from "./words/index.tsx";

type Change = (change: (tree: readonly TreeNode[]) => TreeNode[]) => void;

interface Props {
  tree: readonly TreeNode[];
  change: Change;
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
      <List nodes={tree} list={[]} where={words.atTop} change={change} isDisabled={isDisabled} />
    </section>
  );
}

interface ListProps {
  nodes: readonly TreeNode[];
  list: Path;
  /** For screen readers: of which match, and which of its branches. */
  where: string;
  change: Change;
  isDisabled: boolean;
}

function List({ nodes, list, where, change, isDisabled }: ListProps) {
  const words = useProfileWords().tree;
  return (
    <div className="tree-list">
      <ol>
        {nodes.map((node, index) => (
          <Node
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
          <Add is="match" {...{ list, where, change }} />
          <Add is="action" {...{ list, where, change }} />
        </div>
      )}
    </div>
  );
}

interface NodeProps {
  node: TreeNode;
  list: Path;
  index: number;
  isLast: boolean;
  change: Change;
  isDisabled: boolean;
}

function Node({ node, list, index, isLast, change, isDisabled }: NodeProps) {
  const all = useProfileWords();
  const words = all.tree;
  const box = useRef<HTMLLIElement>(null);
  const path = [...list, index];
  const { name } = node.profile;
  const type = node.is === "match" ? "MATCH_PROFILE" : "ACTION_PROFILE";
  const move = (by: 1 | -1) => {
    // The focus goes with what is moved.
    const list = box.current?.parentElement;
    change((tree) => moved(tree, path, by));
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
          {node.is === "action" && <Does node={node} />}
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
                change((tree) => removed(tree, path));
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
              <List
                nodes={node.branches[branch]}
                list={[...path, branch]}
                where={`${says} (${name})`}
                {...{ change, isDisabled }}
              />
            </section>
          );
        })}
    </li>
  );
}

function Does({ node }: { node: TreeNode & { is: "action" } }) {
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

function Add({ is, list, where, change }: { is: "match" | "action"; list: Path; where: string; change: Change }) {
  const words = useProfileWords();
  const says = is === "match" ? words.tree.addMatch : words.tree.addAction;
  return (
    <Opens>
      <Button aria-label={words.tree.to(says, where)}>{says}</Button>
      <Dialog title={words.tree.pick[is]}>
        {(close) => <Pick is={is} list={list} change={change} close={close} />}
      </Dialog>
    </Opens>
  );
}

interface PickProps {
  is: "match" | "action";
  list: Path;
  change: Change;
  close: () => void;
}

function Pick({ is, list, change, close }: PickProps) {
  const words = useProfileWords();
  const client = useQueryClient();
  const slug = is === "match" ? "matches" : "actions";
  const { path } = KINDS[slug];
  const pick = async (chosen: Profile) => {
    const id = chosen.id ?? "";
    close();
    announce(words.tree.added(chosen.name));
    if (is === "match") {
      change((tree) => inserted(tree, list, { is, id, profile: chosen, branches: { MATCH: [], NON_MATCH: [] } }));
      return;
    }
    // Its mapping is known with the profiles below it.
    const whole = await client
      .fetchQuery({
        queryKey: ["import-profiles", path, id],
        queryFn: () => profileOf<ActionProfile>(path, id),
        retry: false,
      })
      .catch(() => undefined);
    const mapping = mappingIn(whole?.childProfiles);
    const profile = chosen as ActionProfile;
    change((tree) => inserted(tree, list, { is, id, profile, ...(mapping && { mapping }) }));
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
