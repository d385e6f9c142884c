/**
 * The positions of the leader and of field 007, with their names and values, from the MARC 21 formats of the Library of
 * Congress. mod-quick-marc describes only field 008 (`GET /marc-specifications/…/008`), whose positions field 006 has,
 * too. The names are those of the standard, in every language of the desk.
 */

import type { Format } from "./record.ts";

/** Codes with their names: `a:Atlas;d:Diagram`. `\` is a blank. */
type CodeList = string;

export interface LeaderPosition {
  position: number;
  code: string;
  name: string;
  values: CodeList;
}

const CHARACTER_CODING = {
  position: 9,
  code: "Char",
  name: "Character coding scheme",
  values: "\\:MARC-8;a:UCS/Unicode",
};

export const LEADER_POSITIONS: Record<Format, readonly LeaderPosition[]> = {
  BIBLIOGRAPHIC: [
    {
      position: 5,
      code: "Status",
      name: "Record status",
      values:
        "a:Increase in encoding level;c:Corrected or revised;d:Deleted;n:New;p:Increase in encoding level from prepublication",
    },
    {
      position: 6,
      code: "Type",
      name: "Type of record",
      values:
        "a:Language material;c:Notated music;d:Manuscript notated music;e:Cartographic material;f:Manuscript cartographic material;g:Projected medium;i:Nonmusical sound recording;j:Musical sound recording;k:Two-dimensional nonprojectable graphic;m:Computer file;o:Kit;p:Mixed materials;r:Three-dimensional artifact or naturally occurring object;t:Manuscript language material",
    },
    {
      position: 7,
      code: "BLvl",
      name: "Bibliographic level",
      values:
        "a:Monographic component part;b:Serial component part;c:Collection;d:Subunit;i:Integrating resource;m:Monograph/Item;s:Serial",
    },
    { position: 8, code: "Ctrl", name: "Type of control", values: "\\:No specified type;a:Archival" },
    CHARACTER_CODING,
    {
      position: 17,
      code: "ELvl",
      name: "Encoding level",
      values:
        "\\:Full level;1:Full level, material not examined;2:Less-than-full level, material not examined;3:Abbreviated level;4:Core level;5:Partial (preliminary) level;7:Minimal level;8:Prepublication level;u:Unknown;z:Not applicable",
    },
    {
      position: 18,
      code: "Desc",
      name: "Descriptive cataloging form",
      values:
        "\\:Non-ISBD;a:AACR 2;c:ISBD punctuation omitted;i:ISBD punctuation included;n:Non-ISBD punctuation omitted;u:Unknown",
    },
    {
      position: 19,
      code: "MultiLvl",
      name: "Multipart resource record level",
      values: "\\:Not specified or not applicable;a:Set;b:Part with independent title;c:Part with dependent title",
    },
  ],
  HOLDINGS: [
    {
      position: 5,
      code: "Status",
      name: "Record status",
      values: "c:Corrected or revised;d:Deleted;n:New",
    },
    {
      position: 6,
      code: "Type",
      name: "Type of record",
      values: "u:Unknown;v:Multipart item holdings;x:Single-part item holdings;y:Serial item holdings",
    },
    CHARACTER_CODING,
    {
      position: 17,
      code: "ELvl",
      name: "Encoding level",
      values:
        "1:Holdings level 1;2:Holdings level 2;3:Holdings level 3;4:Holdings level 4;5:Holdings level 4 with piece designation;m:Mixed level;u:Unknown;z:Other level",
    },
    {
      position: 18,
      code: "Item",
      name: "Item information in record",
      values: "\\:No item information;i:Item information;n:No item information",
    },
  ],
  AUTHORITY: [
    {
      position: 5,
      code: "Status",
      name: "Record status",
      values:
        "a:Increase in encoding level;c:Corrected or revised;d:Deleted;n:New;o:Obsolete;s:Deleted, heading split into two or more headings;x:Deleted, heading replaced by another heading",
    },
    { position: 6, code: "Type", name: "Type of record", values: "z:Authority data" },
    CHARACTER_CODING,
    {
      position: 17,
      code: "ELvl",
      name: "Encoding level",
      values: "n:Complete authority record;o:Incomplete authority record",
    },
    {
      position: 18,
      code: "Punct",
      name: "Punctuation policy",
      values: "\\:No information provided;c:Punctuation omitted;i:Punctuation included;u:Unknown",
    },
  ],
};

export interface Position {
  /** Name of the position in quickMARC. */
  code: string;
  length: number;
  /** The codes to choose from; undefined if the position is typed. */
  values?: CodeList;
}

export interface Category {
  name: string;
  positions: readonly Position[];
}

const codePosition = (code: string, values: CodeList): Position => ({
  code,
  length: 1,
  values: `${values};|:No attempt to code`,
});
const textPosition = (code: string, length: number): Position => ({ code, length });

const UNKNOWN_OR_OTHER = "u:Unknown;z:Other";
const UNSPECIFIED = "u:Unspecified;z:Other";
const COLORS = "b:Black-and-white;c:Multicolored";
const POLARITY = "a:Positive;b:Negative;m:Mixed polarity";
const SOUND = codePosition(
  "Sound on medium or separate",
  "\\:No sound (silent);a:Sound on medium;b:Sound separate from medium;u:Unknown",
);
const SOUND_MEDIUM = codePosition(
  "Medium for sound",
  `\\:No sound (silent);a:Optical sound track on motion picture film;b:Magnetic sound track on motion picture film;c:Magnetic audio tape in cartridge;d:Sound disc;e:Magnetic audio tape on reel;f:Magnetic audio tape in cassette;g:Optical and magnetic sound track on motion picture film;h:Videotape;i:Videodisc;${UNKNOWN_OR_OTHER}`,
);
const CHANNELS = codePosition(
  "Configuration of playback channels",
  `k:Mixed;m:Monaural;n:Not applicable;q:Quadraphonic, multichannel, or surround;s:Stereophonic;${UNKNOWN_OR_OTHER}`,
);
const BASE_OF_FILM = codePosition(
  "Base of film",
  `a:Safety base, undetermined;c:Safety base, acetate undetermined;d:Safety base, diacetate;i:Nitrate base;m:Mixed base (nitrate and safety);n:Not applicable;p:Safety base, polyester;r:Safety base, mixed;t:Safety base, triacetate;${UNKNOWN_OR_OTHER}`,
);
const REPRODUCTION = codePosition("Type of reproduction", `f:Facsimile;n:Not applicable;${UNKNOWN_OR_OTHER}`);
const FILM_WIDTHS = "a:Standard 8 mm;b:Super 8 mm/single 8 mm;c:9.5 mm;d:16 mm;e:28 mm;f:35 mm;g:70 mm";
const SUPPORT_MATERIALS =
  "a:Canvas;b:Bristol board;c:Cardboard/illustration board;d:Glass;e:Synthetic;f:Skin;g:Textile;h:Metal;i:Plastic;l:Vinyl;m:Mixed collection;n:Vellum;o:Paper;p:Plaster;q:Hardboard;r:Porcelain;s:Stone;t:Wood;u:Unknown;v:Leather;w:Parchment;z:Other";

/** Field 007 by its first character (category of material). The positions are in order, with the names of quickMARC. */
export const CATEGORIES_007: Readonly<Record<string, Category>> = {
  a: {
    name: "Map",
    positions: [
      codePosition(
        "SMD",
        `d:Atlas;g:Diagram;j:Map;k:Profile;q:Model;r:Remote-sensing image;s:Section;y:View;${UNSPECIFIED}`,
      ),
      codePosition("Color", "a:One color;c:Multicolored"),
      codePosition(
        "Physical medium",
        `a:Paper;b:Wood;c:Stone;d:Metal;e:Synthetic;f:Skin;g:Textile;i:Plastic;j:Glass;l:Vinyl;n:Vellum;p:Plaster;q:Flexible base photographic, positive;r:Flexible base photographic, negative;s:Non-flexible base photographic, positive;t:Non-flexible base photographic, negative;v:Leather;w:Parchment;x:Not applicable;y:Other photographic medium;${UNKNOWN_OR_OTHER}`,
      ),
      REPRODUCTION,
      codePosition(
        "Production/reproduction details",
        `a:Photocopy, blueline print;b:Photocopy;c:Pre-production;d:Film;${UNKNOWN_OR_OTHER}`,
      ),
      codePosition("Positive/negative aspect", `${POLARITY};n:Not applicable`),
    ],
  },
  c: {
    name: "Electronic resource",
    positions: [
      codePosition(
        "SMD",
        `a:Tape cartridge;b:Chip cartridge;c:Computer optical disc cartridge;d:Computer disc, type unspecified;e:Computer disc cartridge, type unspecified;f:Tape cassette;h:Tape reel;j:Magnetic disk;k:Computer card;m:Magneto-optical disc;o:Optical disc;r:Remote;s:Standalone device;${UNSPECIFIED}`,
      ),
      codePosition("Color", `a:One color;${COLORS};g:Gray scale;m:Mixed;n:Not applicable;${UNKNOWN_OR_OTHER}`),
      codePosition(
        "Dimensions",
        `a:3 1/2 in.;e:12 in.;g:4 3/4 in. or 12 cm.;i:1 1/8 x 2 3/8 in.;j:3 7/8 x 2 1/2 in.;n:Not applicable;o:5 1/4 in.;v:8 in.;${UNKNOWN_OR_OTHER}`,
      ),
      codePosition("Sound", "\\:No sound (silent);a:Sound;u:Unknown"),
      textPosition("Image bit depth", 3),
      codePosition("File formats", "a:One file format;m:Multiple file formats;u:Unknown"),
      codePosition("Quality assurance target(s)", "a:Absent;n:Not applicable;p:Present;u:Unknown"),
      codePosition(
        "Antecedent/ Source",
        "a:File reproduced from original;b:File reproduced from microform;c:File reproduced from an electronic resource;d:File reproduced from an intermediate (not microform);m:Mixed;n:Not applicable;u:Unknown",
      ),
      codePosition("Level of compression", "a:Uncompressed;b:Lossless;d:Lossy;m:Mixed;u:Unknown"),
      codePosition("Reformatting quality", "a:Access;n:Not applicable;p:Preservation;r:Replacement;u:Unknown"),
    ],
  },
  d: {
    name: "Globe",
    positions: [
      codePosition(
        "SMD",
        `a:Celestial globe;b:Planetary or lunar globe;c:Terrestrial globe;e:Earth moon globe;${UNSPECIFIED}`,
      ),
      codePosition("Color", "a:One color;c:Multicolored"),
      codePosition(
        "Physical medium",
        `a:Paper;b:Wood;c:Stone;d:Metal;e:Synthetic;f:Skin;g:Textile;i:Plastic;l:Vinyl;n:Vellum;p:Plaster;v:Leather;w:Parchment;${UNKNOWN_OR_OTHER}`,
      ),
      REPRODUCTION,
    ],
  },
  f: {
    name: "Tactile material",
    positions: [
      codePosition("SMD", `a:Moon;b:Braille;c:Combination;d:Tactile, with no writing system;${UNSPECIFIED}`),
      textPosition("Class of braille writing", 2),
      codePosition(
        "Level of contraction",
        `a:Uncontracted;b:Contracted;m:Combination;n:Not applicable;${UNKNOWN_OR_OTHER}`,
      ),
      textPosition("Braille music format", 3),
      codePosition(
        "Special physical characteristics",
        `a:Print/braille;b:Jumbo or enlarged braille;n:Not applicable;${UNKNOWN_OR_OTHER}`,
      ),
    ],
  },
  g: {
    name: "Projected graphic",
    positions: [
      codePosition(
        "SMD",
        `c:Filmstrip cartridge;d:Filmslip;f:Filmstrip, type unspecified;o:Filmstrip roll;s:Slide;t:Transparency;${UNSPECIFIED}`,
      ),
      codePosition("Color", `a:One color;${COLORS};h:Hand colored;m:Mixed;n:Not applicable;${UNKNOWN_OR_OTHER}`),
      codePosition(
        "Base of emulsion",
        `d:Glass;e:Synthetic;j:Safety film;k:Film base, other than safety film;m:Mixed collection;o:Paper;${UNKNOWN_OR_OTHER}`,
      ),
      SOUND,
      SOUND_MEDIUM,
      codePosition(
        "Dimensions",
        `${FILM_WIDTHS};j:2 x 2 in. or 5 x 5 cm.;k:2 1/4 x 2 1/4 in. or 6 x 6 cm.;s:4 x 5 in. or 10 x 13 cm.;t:5 x 7 in. or 13 x 18 cm.;v:8 x 10 in. or 21 x 26 cm.;w:9 x 9 in. or 23 x 23 cm.;x:10 x 10 in. or 26 x 26 cm.;y:7 x 7 in. or 18 x 18 cm.;${UNKNOWN_OR_OTHER}`,
      ),
      codePosition(
        "Secondary support material",
        `\\:No secondary support;c:Cardboard;d:Glass;e:Synthetic;h:Metal;j:Metal and glass;k:Synthetic and glass;m:Mixed collection;${UNKNOWN_OR_OTHER}`,
      ),
    ],
  },
  h: {
    name: "Microform",
    positions: [
      codePosition(
        "SMD",
        `a:Aperture card;b:Microfilm cartridge;c:Microfilm cassette;d:Microfilm reel;e:Microfiche;f:Microfiche cassette;g:Microopaque;h:Microfilm slip;j:Microfilm roll;${UNSPECIFIED}`,
      ),
      codePosition("Positive/negative aspect", `${POLARITY};u:Unknown`),
      codePosition(
        "Dimensions",
        `a:8 mm.;d:16 mm.;f:35 mm.;g:70 mm.;h:105 mm.;l:3 x 5 in. or 8 x 13 cm.;m:4 x 6 in. or 11 x 15 cm.;o:6 x 9 in. or 16 x 23 cm.;p:3 1/4 x 7 3/8 in. or 9 x 19 cm.;${UNKNOWN_OR_OTHER}`,
      ),
      textPosition("Reduction ratio range/Reduction ratio", 4),
      codePosition("Color", `${COLORS};m:Mixed;${UNKNOWN_OR_OTHER}`),
      codePosition(
        "Emulsion on film",
        `a:Silver halide;b:Diazo;c:Vesicular;m:Mixed;n:Not applicable;${UNKNOWN_OR_OTHER}`,
      ),
      codePosition(
        "Generation",
        "a:First generation (master);b:Printing master;c:Service copy;m:Mixed generation;u:Unknown",
      ),
      BASE_OF_FILM,
    ],
  },
  k: {
    name: "Nonprojected graphic",
    positions: [
      codePosition(
        "SMD",
        `a:Activity card;c:Collage;d:Drawing;e:Painting;f:Photomechanical print;g:Photonegative;h:Photoprint;i:Picture;j:Print;k:Poster;l:Technical drawing;n:Chart;o:Flash card;p:Postcard;q:Icon;r:Radiograph;s:Study print;v:Photograph, type unspecified;${UNSPECIFIED}`,
      ),
      codePosition("Color", `a:One color;${COLORS};h:Hand colored;m:Mixed;${UNKNOWN_OR_OTHER}`),
      codePosition("Primary support material", SUPPORT_MATERIALS),
      codePosition("Secondary support material", `\\:No secondary support;${SUPPORT_MATERIALS}`),
    ],
  },
  m: {
    name: "Motion picture",
    positions: [
      codePosition("SMD", `c:Film cartridge;f:Film cassette;o:Film roll;r:Film reel;${UNSPECIFIED}`),
      codePosition("Color", `${COLORS};h:Hand colored;m:Mixed;n:Not applicable;${UNKNOWN_OR_OTHER}`),
      codePosition(
        "Motion picture presentation format",
        `a:Standard sound aperture (reduced frame);b:Nonanamorphic (wide-screen);c:3D;d:Anamorphic (wide-screen);e:Other wide-screen format;f:Standard silent aperture (full frame);${UNKNOWN_OR_OTHER}`,
      ),
      SOUND,
      SOUND_MEDIUM,
      codePosition("Dimensions", `${FILM_WIDTHS};${UNKNOWN_OR_OTHER}`),
      CHANNELS,
      codePosition(
        "Production elements",
        "a:Workprint;b:Trims;c:Outtakes;d:Rushes;e:Mixing tracks;f:Title bands/intertitle rolls;g:Production rolls;n:Not applicable;z:Other",
      ),
      codePosition("Positive/negative aspect", `a:Positive;b:Negative;n:Not applicable;${UNKNOWN_OR_OTHER}`),
      codePosition("Generation", `d:Duplicate;e:Master;o:Original;r:Reference print/viewing copy;${UNKNOWN_OR_OTHER}`),
      BASE_OF_FILM,
      codePosition(
        "Refined categories of color",
        `a:3 layer color;b:2 color, single strip;c:Undetermined 2 color;d:Undetermined 3 color;e:3 strip color;f:2 strip color;g:Red strip;h:Blue or green strip;i:Cyan strip;j:Magenta strip;k:Yellow strip;l:S E N 2;m:S E N 3;n:Not applicable;p:Sepia tone;q:Other tone;r:Tint;s:Tinted and toned;t:Stencil color;v:Hand colored;${UNKNOWN_OR_OTHER}`,
      ),
      codePosition(
        "Kind of color stock or print",
        `a:Imbibition dye transfer prints;b:Three-layer stock;c:Three-layer stock, low fade;d:Duplitized stock;n:Not applicable;${UNKNOWN_OR_OTHER}`,
      ),
      codePosition(
        "Deterioration stage",
        "a:None apparent;b:Nitrate: suspicious odor;c:Nitrate: pungent odor;d:Nitrate: brownish, discoloration, fading, dusty;e:Nitrate: sticky;f:Nitrate: frothy, bubbles, blisters;g:Nitrate: congealed;h:Nitrate: powder;k:Non-nitrate: detectable deterioration;l:Non-nitrate: advanced deterioration;m:Non-nitrate: disaster",
      ),
      codePosition("Completeness", "c:Complete;i:Incomplete;n:Not applicable;u:Unknown"),
      textPosition("Film inspection date", 6),
    ],
  },
  o: { name: "Kit", positions: [codePosition("SMD", "u:Unspecified")] },
  q: { name: "Notated music", positions: [codePosition("SMD", "u:Unspecified")] },
  r: {
    name: "Remote-sensing image",
    positions: [
      codePosition("SMD", "u:Unspecified"),
      codePosition("Altitude of sensor", `a:Surface;b:Airborne;c:Spaceborne;n:Not applicable;${UNKNOWN_OR_OTHER}`),
      codePosition("Attitude of sensor", "a:Low oblique;b:High oblique;c:Vertical;n:Not applicable;u:Unknown"),
      codePosition(
        "Cloud cover",
        "0:0-9%;1:10-19%;2:20-29%;3:30-39%;4:40-49%;5:50-59%;6:60-69%;7:70-79%;8:80-89%;9:90-100%;n:Not applicable;u:Unknown",
      ),
      codePosition(
        "Platform construction type",
        `a:Balloon;b:Aircraft, low altitude;c:Aircraft, medium altitude;d:Aircraft, high altitude;e:Manned spacecraft;f:Unmanned spacecraft;g:Land-based remote-sensing device;h:Water surface-based remote-sensing device;i:Submersible remote-sensing device;n:Not applicable;${UNKNOWN_OR_OTHER}`,
      ),
      codePosition(
        "Platform use category",
        `a:Meteorological;b:Surface observing;c:Space observing;m:Mixed uses;n:Not applicable;${UNKNOWN_OR_OTHER}`,
      ),
      codePosition("Sensor type", `a:Active;b:Passive;${UNKNOWN_OR_OTHER}`),
      textPosition("Data type", 2),
    ],
  },
  s: {
    name: "Sound recording",
    positions: [
      codePosition(
        "SMD",
        `d:Sound disc;e:Cylinder;g:Sound cartridge;i:Sound-track film;q:Roll;r:Remote;s:Sound cassette;t:Sound-tape reel;w:Wire recording;${UNSPECIFIED}`,
      ),
      codePosition(
        "Speed",
        `a:16 rpm;b:33 1/3 rpm;c:45 rpm;d:78 rpm;e:8 rpm;f:1.4 m. per second;h:120 rpm;i:160 rpm;k:15/16 ips;l:1 7/8 ips;m:3 3/4 ips;n:Not applicable;o:7 1/2 ips;p:15 ips;r:30 ips;${UNKNOWN_OR_OTHER}`,
      ),
      CHANNELS,
      codePosition(
        "Groove width/ groove pitch",
        `m:Microgroove/fine;n:Not applicable;s:Coarse/standard;${UNKNOWN_OR_OTHER}`,
      ),
      codePosition(
        "Dimensions",
        `a:3 in.;b:5 in.;c:7 in.;d:10 in.;e:12 in.;f:16 in.;g:4 3/4 in. or 12 cm.;j:3 7/8 x 2 1/2 in.;n:Not applicable;o:5 1/4 x 3 7/8 in.;s:2 3/4 x 4 in.;${UNKNOWN_OR_OTHER}`,
      ),
      codePosition("Tape width", `l:1/8 in.;m:1/4 in.;n:Not applicable;o:1/2 in.;p:1 in.;${UNKNOWN_OR_OTHER}`),
      codePosition(
        "Tape configuration",
        `a:Full (1) track;b:Half (2) track;c:Quarter (4) track;d:Eight track;e:Twelve track;f:Sixteen track;n:Not applicable;${UNKNOWN_OR_OTHER}`,
      ),
      codePosition(
        "Kind of disc, cylinder, or tape",
        `a:Master tape;b:Tape duplication master;d:Disc master (negative);i:Instantaneous (recorded on the spot);m:Mass-produced;n:Not applicable;r:Mother (positive);s:Stamper (negative);t:Test pressing;${UNKNOWN_OR_OTHER}`,
      ),
      codePosition(
        "Kind of material",
        `a:Lacquer coating;b:Cellulose nitrate;c:Acetate tape with ferrous oxide;g:Glass with lacquer;i:Aluminum with lacquer;l:Metal;m:Plastic with metal;n:Not applicable;p:Plastic;r:Paper with lacquer or ferrous oxide;s:Shellac;w:Wax;${UNKNOWN_OR_OTHER}`,
      ),
      codePosition(
        "Kind of cutting",
        `h:Hill-and-dale cutting;l:Lateral or combined cutting;n:Not applicable;${UNKNOWN_OR_OTHER}`,
      ),
      codePosition(
        "Special playback characteristics",
        `a:NAB standard;b:CCIR standard;c:Dolby-B encoded;d:dbx encoded;e:Digital recording;f:Dolby-A encoded;g:Dolby-C encoded;h:CX encoded;n:Not applicable;${UNKNOWN_OR_OTHER}`,
      ),
      codePosition(
        "Capture and storage technique",
        `a:Acoustical capture, direct storage;b:Direct storage, not acoustical;d:Digital storage;e:Analog electrical storage;${UNKNOWN_OR_OTHER}`,
      ),
    ],
  },
  t: {
    name: "Text",
    positions: [codePosition("SMD", `a:Regular print;b:Large print;c:Braille;d:Loose-leaf;${UNSPECIFIED}`)],
  },
  v: {
    name: "Videorecording",
    positions: [
      codePosition("SMD", `c:Videocartridge;d:Videodisc;f:Videocassette;r:Videoreel;${UNSPECIFIED}`),
      codePosition("Color", `a:One color;${COLORS};m:Mixed;n:Not applicable;${UNKNOWN_OR_OTHER}`),
      codePosition(
        "Videorecording format",
        `a:Beta;b:VHS;c:U-matic;d:EIAJ;e:Type C;f:Quadruplex;g:Laserdisc;h:CED;i:Betacam;j:Betacam SP;k:Super-VHS;m:M-II;o:D-2;p:8 mm.;q:Hi-8 mm.;s:Blu-ray disc;v:DVD;${UNKNOWN_OR_OTHER}`,
      ),
      SOUND,
      SOUND_MEDIUM,
      codePosition("Dimensions", `a:8 mm.;m:1/4 in.;o:1/2 in.;p:1 in.;q:2 in.;r:3/4 in.;${UNKNOWN_OR_OTHER}`),
      CHANNELS,
    ],
  },
  z: { name: "Unspecified", positions: [codePosition("SMD", `m:Multiple physical forms;${UNSPECIFIED}`)] },
};

/** Code of field 006 for serials, which is not a type of record in the leader (position 6). */
export const SERIAL_006 = "s";

export const TYPES_006 =
  "a:Language material;c:Notated music;d:Manuscript notated music;e:Cartographic material;f:Manuscript cartographic material;g:Projected medium;i:Nonmusical sound recording;j:Musical sound recording;k:Two-dimensional nonprojectable graphic;m:Computer file/Electronic resource;o:Kit;p:Mixed materials;r:Three-dimensional artifact or naturally occurring object;s:Serial/Integrating resource;t:Manuscript language material";

/** Splits `a:Atlas;d:Diagram` into codes and names; a name may have a colon, a code has one character. */
export const parseCodeList = (values: CodeList): [code: string, name: string][] =>
  values.split(";").map((value) => [value.slice(0, 1), value.slice(2)]);
