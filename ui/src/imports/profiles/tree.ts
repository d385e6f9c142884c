/** The tree of a job profile: matches with what follows them, and actions. Pure. */

import type { ActionProfile, Profile, ProfileType, ReactTo, Relation, Wrapper } from "../../api/import-profiles.ts";

export const BRANCHES = ["MATCH", "NON_MATCH"] as const satisfies readonly ReactTo[];

export interface MatchNode {
  is: "match";
  id: string;
  profile: Profile;
  branches: Record<ReactTo, TreeNode[]>;
}

export interface ActionNode {
  is: "action";
  id: string;
  profile: ActionProfile;
  mapping?: { id: string; name: string };
}

export type TreeNode = MatchNode | ActionNode;
/** From the root: places in lists, and branches. A list ends with a branch, or is the root, []; a node ends with a place. */
export type Path = readonly (number | ReactTo)[];

export function treeFrom(wrapper: Wrapper): TreeNode[] {
  return children(wrapper).flatMap(({ contentType, content, profileId, ...below }): TreeNode[] => {
    const id = profileId ?? content.id ?? "";
    const inside = children(below);
    if (contentType === "MATCH_PROFILE") {
      const branch = (reactTo: ReactTo) =>
        treeFrom({ ...wrapper, childSnapshotWrappers: inside.filter((child) => child.reactTo === reactTo) });
      return [
        { is: "match", id, profile: content, branches: { MATCH: branch("MATCH"), NON_MATCH: branch("NON_MATCH") } },
      ];
    }
    if (contentType !== "ACTION_PROFILE") return [];
    const mapping = mappingIn(inside);
    return [{ is: "action", id, profile: content as ActionProfile, ...(mapping && { mapping }) }];
  });
}

export function mappingIn(wrappers: readonly Wrapper[] | undefined): { id: string; name: string } | undefined {
  const mapping = wrappers?.find(({ contentType }) => contentType === "MAPPING_PROFILE");
  return mapping && { id: mapping.profileId ?? mapping.content.id ?? "", name: mapping.content.name };
}

const children = ({ childSnapshotWrappers = [] }: Pick<Wrapper, "childSnapshotWrappers">) =>
  childSnapshotWrappers.toSorted(({ order: one = 0 }, { order: other = 0 }) => one - other);

/** The nodes of a list. */
export function at(tree: readonly TreeNode[], [place, branch, ...rest]: Path): readonly TreeNode[] {
  if (place === undefined) return tree;
  const node = tree[place as number];
  return node?.is === "match" ? at(node.branches[branch as ReactTo], rest) : [];
}

function changed(
  tree: readonly TreeNode[],
  [place, branch, ...rest]: Path,
  change: (list: TreeNode[]) => TreeNode[],
): TreeNode[] {
  if (place === undefined) return change([...tree]);
  return tree.map((node, index) => {
    if (index !== place || node.is !== "match") return node;
    const reactTo = branch as ReactTo;
    return { ...node, branches: { ...node.branches, [reactTo]: changed(node.branches[reactTo], rest, change) } };
  });
}

export const inserted = (tree: readonly TreeNode[], list: Path, node: TreeNode) =>
  changed(tree, list, (nodes) => [...nodes, node]);

export const removed = (tree: readonly TreeNode[], path: Path) =>
  changed(tree, path.slice(0, -1), (nodes) => nodes.toSpliced(path.at(-1) as number, 1));

/** One place up or down in its list. */
export function moved(tree: readonly TreeNode[], path: Path, by: 1 | -1): TreeNode[] {
  const from = path.at(-1) as number;
  return changed(tree, path.slice(0, -1), (nodes) => {
    const [node, other] = [nodes[from], nodes[from + by]];
    return node && other ? nodes.with(from, other).with(from + by, node) : nodes;
  });
}

/** An update needs something that was found. */
export const lacksMatch = (node: TreeNode, list: Path) =>
  node.is === "action" && node.profile.action === "UPDATE" && !list.includes("MATCH") && !list.includes("NON_MATCH");

const TYPES = { match: "MATCH_PROFILE", action: "ACTION_PROFILE" } as const satisfies Record<string, ProfileType>;

/** Each match before what follows it: the server takes what comes next to be of the match that was named last. */
export function relationsOf(tree: readonly TreeNode[], job: string | undefined): Relation[] {
  const ofJob = job === undefined ? {} : { jobProfileId: job };
  const root = { masterProfileType: "JOB_PROFILE" as const, ...(job !== undefined && { masterProfileId: job }) };
  const below = (nodes: readonly TreeNode[], master: Omit<Relation, "detailProfileType" | "order">): Relation[] =>
    nodes.flatMap((node, order) => [
      { ...master, detailProfileType: TYPES[node.is], detailProfileId: node.id, order },
      ...(node.is === "match"
        ? BRANCHES.flatMap((reactTo) =>
            below(node.branches[reactTo], {
              masterProfileType: "MATCH_PROFILE",
              masterProfileId: node.id,
              reactTo,
              ...ofJob,
            }),
          )
        : []),
    ]);
  return below(tree, root);
}

/** Of a tree that is stored, with the places by which the server knows each use of a profile. Mappings are of the actions, not of the tree. */
export function storedRelations(root: Wrapper, job: string): Relation[] {
  return children(root).flatMap((child) => {
    if (child.contentType === "MAPPING_PROFILE") return [];
    const { profileId, profileWrapperId, contentType, reactTo, order = 0 } = child;
    const relation: Relation = {
      masterProfileType: root.contentType,
      ...(root.profileId && { masterProfileId: root.profileId }),
      ...(root.profileWrapperId && { masterWrapperId: root.profileWrapperId }),
      detailProfileType: contentType,
      ...(profileId && { detailProfileId: profileId }),
      ...(profileWrapperId && { detailWrapperId: profileWrapperId }),
      order,
      ...(reactTo && { reactTo }),
      ...(root.contentType === "MATCH_PROFILE" && { jobProfileId: job }),
    };
    return [relation, ...storedRelations(child, job)];
  });
}

/** What has to go and to come for one tree to become another; nothing where both are alike. */
export function relationsBetween(stored: Wrapper | undefined, tree: readonly TreeNode[], job: string | undefined) {
  if (stored === undefined || job === undefined) return { added: relationsOf(tree, job), deleted: [] };
  const same = JSON.stringify(relationsOf(treeFrom(stored), job)) === JSON.stringify(relationsOf(tree, job));
  if (same) return { added: [], deleted: [] };
  return { added: relationsOf(tree, job), deleted: storedRelations(stored, job) };
}
