import { describe, expect, test } from "vitest";
import type { ActionProfile, ReactTo, Wrapper } from "../../src/api/import-profiles.ts";
import {
  insertNode,
  lacksMatch,
  moveNode,
  nodesAt,
  relationsBetween,
  relationsOf,
  removeNode,
  storedRelations,
  type TreeNode,
  treeFrom,
} from "../../src/imports/profiles/tree.ts";

const action = (id: string, does = "CREATE"): TreeNode => ({
  is: "action",
  id,
  profile: { id, name: id, action: does, folioRecord: "ITEM" } as ActionProfile,
});
const match = (id: string, MATCH: TreeNode[] = [], NON_MATCH: TreeNode[] = []): TreeNode => ({
  is: "match",
  id,
  profile: { id, name: id },
  branches: { MATCH, NON_MATCH },
});

/** `m[a | b] c`: what follows a match, and what follows if there is none. */
const drawn = (nodes: readonly TreeNode[]): string =>
  nodes
    .map((node) =>
      node.is === "match" ? `${node.id}[${drawn(node.branches.MATCH)} | ${drawn(node.branches.NON_MATCH)}]` : node.id,
    )
    .join(" ");

const TREE = [match("m", [action("u", "UPDATE")], [action("c"), match("n", [], [action("d")])]), action("e")];

const wrapped = (
  contentType: Wrapper["contentType"],
  id: string,
  more: { order?: number; reactTo?: ReactTo; below?: Wrapper[]; action?: string } = {},
): Wrapper => ({
  contentType,
  profileId: id,
  profileWrapperId: `place of ${id}`,
  content: { id, name: `name of ${id}`, ...(more.action && { action: more.action }) } as Wrapper["content"],
  order: more.order ?? 0,
  ...(more.reactTo && { reactTo: more.reactTo }),
  childSnapshotWrappers: more.below ?? [],
});

const STORED = wrapped("JOB_PROFILE", "job", {
  below: [
    wrapped("ACTION_PROFILE", "e", { order: 1 }),
    wrapped("MATCH_PROFILE", "m", {
      below: [
        wrapped("ACTION_PROFILE", "c", { reactTo: "NON_MATCH", below: [wrapped("MAPPING_PROFILE", "p")] }),
        wrapped("ACTION_PROFILE", "u", { reactTo: "MATCH" }),
      ],
    }),
  ],
});

describe("the tree of a job profile", () => {
  test("is read in its order, with what follows a match and what follows if there is none", () => {
    const tree = treeFrom(STORED);
    expect(drawn(tree)).toBe("m[u | c] e");
    expect(nodesAt(tree, [0, "NON_MATCH"])[0]).toMatchObject({ mapping: { id: "p", name: "name of p" } });
  });

  test.each<[string, (tree: TreeNode[]) => TreeNode[], string]>([
    [
      "a profile comes last in the list where it is put",
      (tree) => insertNode(tree, [], action("x")),
      "m[u | c n[ | d]] e x",
    ],
    ["below a match", (tree) => insertNode(tree, [0, "MATCH"], action("x")), "m[u x | c n[ | d]] e"],
    ["deep below", (tree) => insertNode(tree, [0, "NON_MATCH", 1, "MATCH"], action("x")), "m[u | c n[x | d]] e"],
    ["what is taken out goes with what is below it", (tree) => removeNode(tree, [0]), "e"],
    ["or alone", (tree) => removeNode(tree, [0, "NON_MATCH", 0]), "m[u | n[ | d]] e"],
    ["down", (tree) => moveNode(tree, [0], 1), "e m[u | c n[ | d]]"],
    ["up", (tree) => moveNode(tree, [0, "NON_MATCH", 1], -1), "m[u | n[ | d] c] e"],
    ["the last one goes no further down", (tree) => moveNode(tree, [1], 1), "m[u | c n[ | d]] e"],
    ["the first one goes no further up", (tree) => moveNode(tree, [0], -1), "m[u | c n[ | d]] e"],
  ])("%s", (_, change, expected) => {
    expect(drawn(change(TREE))).toBe(expected);
  });

  test("lacks a match where an update stands alone", () => {
    expect([
      lacksMatch(action("u", "UPDATE"), []),
      lacksMatch(action("u", "UPDATE"), [0, "MATCH"]),
      lacksMatch(action("c"), []),
    ]).toEqual([true, false, false]);
  });
});

describe("relations", () => {
  test("name each match before what follows it", () => {
    const named = relationsOf(TREE, "job").map(
      ({ masterProfileId, detailProfileId, reactTo = "", order }) =>
        `${masterProfileId} ${detailProfileId} ${reactTo} ${order}`,
    );
    expect(named).toEqual([
      "job m  0",
      "m u MATCH 0",
      "m c NON_MATCH 0",
      "m n NON_MATCH 1",
      "n d NON_MATCH 0",
      "job e  1",
    ]);
  });

  test("of a job that is not stored yet leave its id to the server", () => {
    const [first, second] = relationsOf([match("m", [action("u")])], undefined);
    expect(first).toEqual({
      masterProfileType: "JOB_PROFILE",
      detailProfileType: "MATCH_PROFILE",
      detailProfileId: "m",
      order: 0,
    });
    expect(second).not.toHaveProperty("jobProfileId");
  });

  test("that are stored have their places, and none of mappings", () => {
    expect(storedRelations(STORED, "job")).toContainEqual({
      masterProfileType: "MATCH_PROFILE",
      masterProfileId: "m",
      masterWrapperId: "place of m",
      detailProfileType: "ACTION_PROFILE",
      detailProfileId: "c",
      detailWrapperId: "place of c",
      order: 0,
      reactTo: "NON_MATCH",
      jobProfileId: "job",
    });
    expect(storedRelations(STORED, "job").map(({ detailProfileId }) => detailProfileId)).toEqual(["m", "c", "u", "e"]);
  });

  test("stay as they are when the tree does", () => {
    expect(relationsBetween(STORED, treeFrom(STORED), "job")).toEqual({ added: [], deleted: [] });
  });

  test("come anew when something has changed", () => {
    const { added, deleted } = relationsBetween(STORED, removeNode(treeFrom(STORED), [1]), "job");
    expect([added.length, deleted.length]).toEqual([3, 4]);
  });
});
