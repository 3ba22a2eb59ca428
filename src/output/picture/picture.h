/*
 * picture.h - the door of picture/: flame graphs as SVG, and the tree that pages draw from
 *
 * svg.c writes the picture; html/ shares the packed tree (packed.h) and the palettes (palette.h),
 * so a frame has one colour in both. perfold view has these colours and labels, too (frame_color.h,
 * picture_label.h).
 */
#ifndef PERFOLD_OUTPUT_PICTURE_PICTURE_H
#define PERFOLD_OUTPUT_PICTURE_PICTURE_H

#include "output/output.h"
#include "output/picture/frame_color.h"
#include "output/picture/packed.h"
#include "output/picture/picture_label.h"
#include "output/picture/picture_title.h"

extern const struct output_format svg_format;

#endif
