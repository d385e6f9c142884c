/** The tree of a job profile: match profiles with their branches, and action profiles. Pure. */

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
/**
 * A path from the root: indexes in lists and branches. The path of a list ends with a branch, or is []; that of a node
 * ends with an index.
 */
export type Path = readonly (number | ReactTo)[];

export function treeFrom(wrapper: Wrapper): TreeNode[] {
  return sortedChildren(wrapper).flatMap(({ contentType, content, profileId, ...below }): TreeNode[] => {
    const id = profileId ?? content.id ?? "";
    const inside = sortedChildren(below);
    if (contentType === "MATCH_PROFILE") {
      const branch = (reactTo: ReactTo) =>
        treeFrom({ ...wrapper, childSnapshotWrappers: inside.filter((child) => child.reactTo === reactTo) });
      return [
        { is: "match", id, profile: content, branches: { MATCH: branch("MATCH"), NON_MATCH: branch("NON_MATCH") } },
      ];
    }
    if (contentType !== "ACTION_PROFILE") return [];
    const mapping = findMapping(inside);
    return [{ is: "action", id, profile: content as ActionProfile, ...(mapping && { mapping }) }];
  });
}

export function findMapping(wrappers: readonly Wrapper[] | undefined): { id: string; name: string } | undefined {
  const mapping = wrappers?.find(({ contentType }) => contentType === "MAPPING_PROFILE");
  return mapping && { id: mapping.profileId ?? mapping.content.id ?? "", name: mapping.content.name };
}

const sortedChildren = ({ childSnapshotWrappers = [] }: Pick<Wrapper, "childSnapshotWrappers">) =>
  childSnapshotWrappers.toSorted(({ order: one = 0 }, { order: other = 0 }) => one - other);

/** The nodes of the list at a path. */
export function nodesAt(tree: readonly TreeNode[], [place, branch, ...rest]: Path): readonly TreeNode[] {
  if (place === undefined) return tree;
  const node = tree[place as number];
  return node?.is === "match" ? nodesAt(node.branches[branch as ReactTo], rest) : [];
}

function changeList(
  tree: readonly TreeNode[],
  [place, branch, ...rest]: Path,
  change: (list: TreeNode[]) => TreeNode[],
): TreeNode[] {
  if (place === undefined) return change([...tree]);
  return tree.map((node, index) => {
    if (index !== place || node.is !== "match") return node;
    const reactTo = branch as ReactTo;
    return { ...node, branches: { ...node.branches, [reactTo]: changeList(node.branches[reactTo], rest, change) } };
  });
}

export const insertNode = (tree: readonly TreeNode[], list: Path, node: TreeNode) =>
  changeList(tree, list, (nodes) => [...nodes, node]);

export const removeNode = (tree: readonly TreeNode[], path: Path) =>
  changeList(tree, path.slice(0, -1), (nodes) => nodes.toSpliced(path.at(-1) as number, 1));

/** One place up or down in its list. */
export function moveNode(tree: readonly TreeNode[], path: Path, by: 1 | -1): TreeNode[] {
  const from = path.at(-1) as number;
  return changeList(tree, path.slice(0, -1), (nodes) => {
    const [node, other] = [nodes[from], nodes[from + by]];
    return node && other ? nodes.with(from, other).with(from + by, node) : nodes;
  });
}

/** An update without a match above it has no record to update. */
export const lacksMatch = (node: TreeNode, list: Path) =>
  node.is === "action" && node.profile.action === "UPDATE" && !list.includes("MATCH") && !list.includes("NON_MATCH");

const PROFILE_TYPES = { match: "MATCH_PROFILE", action: "ACTION_PROFILE" } as const satisfies Record<
  string,
  ProfileType
>;

/**
 * The relations of a tree. A match comes before its branches: the server assigns following relations to the last
 * match.
 */
export function relationsOf(tree: readonly TreeNode[], job: string | undefined): Relation[] {
  const ofJob = job === undefined ? {} : { jobProfileId: job };
  const root = { masterProfileType: "JOB_PROFILE" as const, ...(job !== undefined && { masterProfileId: job }) };
  const below = (nodes: readonly TreeNode[], master: Omit<Relation, "detailProfileType" | "order">): Relation[] =>
    nodes.flatMap((node, order) => [
      { ...master, detailProfileType: PROFILE_TYPES[node.is], detailProfileId: node.id, order },
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

/**
 * The relations of a stored tree, with the ids of its wrappers. Mapping profiles belong to actions, not to the tree.
 */
export function storedRelations(root: Wrapper, job: string): Relation[] {
  return sortedChildren(root).flatMap((child) => {
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

/** The relations to delete and to add to change a stored tree into another; none if both are the same. */
export function relationsBetween(stored: Wrapper | undefined, tree: readonly TreeNode[], job: string | undefined) {
  if (stored === undefined || job === undefined) return { added: relationsOf(tree, job), deleted: [] };
  const same = JSON.stringify(relationsOf(treeFrom(stored), job)) === JSON.stringify(relationsOf(tree, job));
  if (same) return { added: [], deleted: [] };
  return { added: relationsOf(tree, job), deleted: storedRelations(stored, job) };
}
