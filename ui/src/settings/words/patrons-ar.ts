/** الإعدادات الخاصة بالمستعيرين، بالعربية. */

import { t } from "../../words/isolate.ts";
import { counted, nouns } from "../../words/nouns-ar.ts";
import type { kindsOfPatrons as English, ofPatrons as EnglishForms } from "./patrons-en.ts";

export const kindsOfPatrons: typeof English = {
  customFields: {
    one: "حقل مخصص",
    many: "حقول مخصصة للمستعيرين",
    make: "حقل جديد",
    help: "ما تريد هذه المكتبة معرفته عن المستعيرين غير الاسم والبطاقة والاتصال والفئة. تظهر الحقول في نموذج المستعير بهذا الترتيب.",
  },
  blockTemplates: {
    one: "قالب حظر مستعير",
    many: "قوالب حظر المستعيرين",
    make: "قالب جديد",
    help: "حالات حظر يضعها الموظفون مرارًا. من يضع حظرًا يختار قالبًا ويغيِّر ما يختلف هذه المرة.",
  },
};

export const ofPatrons: typeof EnglishForms = {
  pictures: {
    many: "صور المستعيرين",
    help: "هل للمستعيرين صور، يلتقطها الموظفون في النموذج ويرونها عند الإعارة. تُحفظ مشفَّرة؛ وإن لم تُستخدم فلا يُحفظ شيء مما يُرسَل.",
    enabled: "للمستعيرين أن تكون لهم صور",
    most: "أكبر صورة بالميغابايت",
    mostHelp: "يقص Octavo الصور مربعة ويصغِّرها: تبقى أقل كثيرًا من 1 ميغابايت. وقد ترسل برامج أخرى صورًا أكبر.",
    tooMuch: (most) => `أكثر من 0، و${most} ميغابايت على الأكثر.`,
  },

  blockTemplate: {
    descriptionHelp: "للموظفين: متى يناسب هذا القالب.",
    filledIn: "بيانات الحظر",
    filledInHelp: "تُختار مدة الحظر عند وضعه.",
    why: "الغرض منه",
    message: "للمستعير",
    againstNothing: "حدِّد ما يمنعه: الاستعارة أو التجديد أو الطلب، أو أكثر من واحد.",
  },

  customField: {
    type: "نوع الحقل",
    typeFixed: "يبقى النوع كما هو: قيم المستعيرين مبنية عليه.",
    types: {
      TEXTBOX_SHORT: "نص، حتى 150 حرفًا",
      TEXTBOX_LONG: "نص طويل، حتى 1500 حرف",
      SINGLE_SELECT_DROPDOWN: "واحد من قائمة",
      MULTI_SELECT_DROPDOWN: "أكثر من واحد من قائمة",
      RADIO_BUTTON: "واحد من خمسة على الأكثر، كلها ظاهرة",
      SINGLE_CHECKBOX: "نعم أو لا",
      DATE_PICKER: "تاريخ",
    },
    format: "الصيغة",
    formatFixed: "تبقى الصيغة كما هي: قيم المستعيرين مبنية عليها.",
    formats: { TEXT: "أي نص", EMAIL: "بريد إلكتروني", URL: "عنوان صفحة ويب", NUMBER: "عدد" },
    help: "المساعدة",
    helpHelp: "تظهر تحت الحقل. حتى 100 حرف.",
    visible: "ظاهر في نموذج المستعير وصفحته",
    required: "لا بد من تعبئته",
    repeatable: "يقبل أكثر من قيمة",
    ticked: "مؤشَّر عليه للمستعيرين الجدد",
    options: "الخيارات",
    addOption: "إضافة خيار",
    option: (number) => `الخيار ${number}`,
    value: "الاسم",
    isDefault: "مختار للمستعيرين الجدد",
    sorting: "ترتيب الخيارات",
    sortings: { CUSTOM: "كما كُتبت هنا", ASC: "تصاعديًا", DESC: "تنازليًا" },
    up: (name) => t`إلى أعلى: ${name}`,
    down: (name) => t`إلى أسفل: ${name}`,
    moved: (name, place) => t`${name} الآن في الترتيب ${place}.`,
    isRequired: "لا بد من تعبئته",
    isHidden: "غير ظاهر",
    values: (count) =>
      count === 0
        ? "ليس لأي مستعير قيمة فيه."
        : `من لهم قيمة فيه: ${counted(count, nouns.patrons)}. تزول القيم مع الحقل، ولا يمكن استرجاعها.`,
    counting: "جارٍ عدُّ من لهم قيمة فيه …",
    optionGone: (option, count, instead) =>
      t`يزول «${option}» عند الحفظ. من اختير لهم: ${counted(count, nouns.patrons)}؛ ${
        instead === "" ? "ولن يبقى لهم خيار" : t`ويحل محله «${instead}»`
      } حيث لم يُختر غيره.`,
    problems: {
      name: "65 حرفًا على الأكثر.",
      help: "100 حرف على الأكثر.",
      count: (most) => `لا بد من خيار واحد على الأقل، وعلى الأكثر ${most}.`,
      option: "يحتاج الخيار إلى اسم من 100 حرف على الأكثر.",
      twice: "لخيارين اسم واحد.",
      defaults: "لا يُختار للمستعيرين الجدد إلا خيار واحد.",
    },
  },
};
